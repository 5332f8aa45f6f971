import { listOf, mapping, maybe, needed, orElse, word, type Form, type ValuesOf } from "../resource/form.ts";
import type { ItemKey } from "../storage/port.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { between, flag, hostname, matching, plainText, seconds } from "./row-forms.ts";

/** 9999-12-31T23:59:59Z: a later time has no form in JSON, and one host's would spoil every list. */
const latest = 253_402_300_799;
const moment: Form<UnixSeconds> = between(0, latest, "a time from 1970 to 9999");

/** Of the updater's words a later release may have more: any text that a terminal may be shown. */
const words: Form<string> = matching(
  (text) => (/^[^\p{C}\p{Zl}\p{Zp}]{0,256}$/u.test(text) ? text : undefined),
  "one line of at most 256 printable characters",
);

const bootId: Form<string> = matching(
  (text) => (/^[A-Za-z0-9-]{1,64}$/.test(text) ? text : undefined),
  "1 to 64 letters, digits and hyphens",
);

const updaterKind: Form<string> = word({ unit: true, off: true, kube: true });
const windowKind: Form<string> = word({ schedule: true, setting: true, none: true });

const decisionKeys = { kind: needed(words), why: orElse(words, ""), until: maybe(moment) };
const outcomeKeys = {
  kind: needed(words),
  version: orElse(plainText, ""),
  fault: orElse(words, ""),
  at: maybe(moment),
};

/** An updater keeps ten. */
const mostRejected = 16;

const updaterKeys = {
  kind: needed(updaterKind),
  package: orElse(plainText, ""),
  channel: orElse(plainText, ""),
  installed: orElse(plainText, ""),
  served: orElse(plainText, ""),
  decision: maybe(mapping(decisionKeys)),
  step: orElse(words, ""),
  outcome: maybe(mapping(outcomeKeys)),
  rejected: orElse(listOf(plainText, mostRejected), []),
  held_until: maybe(moment),
  held: orElse(flag, false),
  window: maybe(windowKind),
  looked: maybe(moment),
};
export type ReportedUpdater = ValuesOf<typeof updaterKeys>;

const sentKeys = {
  boot_id: needed(bootId),
  counter: needed(seconds),
  hostname: needed(hostname),
  services: orElse(listOf(plainText, 16), []),
  version: orElse(plainText, ""),
  updater: maybe(mapping(updaterKeys)),
  goodbye: orElse(flag, false),
};

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
