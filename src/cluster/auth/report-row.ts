import { count, maybe, record, word, type Of } from "../../rules/shape/shape.ts";
import { report } from "../api/report.ts";
import { plainText } from "../resource/name.ts";
import type { ItemKey } from "../storage/port.ts";
import { hostname, storedHostname } from "./row-forms.ts";

/** An instance's report as it sends it. */
export const sentReport = record({ ...report.fields, hostname });
export type SentReport = Of<typeof sentReport>;

const ended = record({ kind: word, version: plainText, fault: maybe(word), said: maybe(count), at: count });

/** The last report of an instance, beside the instance's own row. */
export const reportRow = record({
  ...report.fields,
  hostname: storedHostname,
  /** When it arrived, by auth's clock. */
  at: count,
  /** How its updater's last move ended. A later pass that only stopped does not replace it. */
  ended: maybe(ended),
  /** Since when its updater has found the agent unhealthy. */
  unhealthy_since: maybe(count),
});

export type ReportRow = Of<typeof reportRow>;

export const reportKind = "report";

export function reportKey(id: string): ItemKey {
  return { kind: reportKind, name: id };
}
