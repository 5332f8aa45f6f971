import { report } from "../api/report.ts";
import { mapping, needed, seconds, type Form, type ValuesOf } from "../resource/form.ts";
import type { ItemKey } from "../storage/port.ts";
import { hostname } from "./row-forms.ts";

const sentKeys = { ...report.fields, hostname: needed(hostname) };

/** What an instance sends of itself. */
export const sentReport: Form<ValuesOf<typeof sentKeys>> = mapping(sentKeys);
export type SentReport = ValuesOf<typeof sentKeys>;

const rowKeys = {
  ...sentKeys,
  /** When it came, by auth's clock. */
  at: needed(seconds),
};

/** The last report of an instance. It lies beside the instance's own row, which no report touches. */
export const reportRow: Form<ValuesOf<typeof rowKeys>> = mapping(rowKeys);
export type ReportRow = ValuesOf<typeof rowKeys>;

export const reportKind = "report";

export function reportKey(id: string): ItemKey {
  return { kind: reportKind, name: id };
}
