import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { Mapping } from "../../rules/shape/reading.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import {
  byDefault,
  count,
  listOf,
  matching,
  maybe,
  openWords,
  record,
  truth,
  whole,
  type RecordOf,
  type Shape,
} from "../../rules/shape/shape.ts";
import { labels, plainText } from "../resource/name.ts";
import type {
  Decision,
  InventoryEntry,
  OperatingSystem,
  Outcome,
  ReportRequest,
  Updater,
} from "./generated/svc/v1/inventory_pb.ts";

type Plain = {
  text: string;
  texts: readonly string[];
  flag: boolean;
  number: bigint;
  time: Timestamp;
  labels: Readonly<Record<string, string>>;
};
/** The type of a field in its message; `Described` is a nested message. */
type What = keyof Plain | Described;
type WhatIs<Value> = Value extends Plain[keyof Plain]
  ? { [Is in keyof Plain]: Value extends Plain[Is] ? Is : never }[keyof Plain]
  : Described;

type Said<Is extends What> = { readonly is: Is; readonly says: string };
type Field<Is extends What = What> = Shape<unknown> & Said<Is>;
type Fields = Readonly<Record<string, Field>>;
type Row = Field & { readonly name: string; readonly inMessage: string };

/** A message described once. Its stored row, its forms on the wire and its JSON in tctl follow from this. */
export type Described<Of = unknown> = { readonly fields: Of; readonly rows: readonly Row[] };

type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : Name;

/** The fields of a generated message, by their names in the .proto. */
type FieldsOf<Message> = {
  readonly [Name in Exclude<keyof Message, `$${string}`> & string as Snake<Name>]-?: Field<WhatIs<NonNullable<Message[Name]>>>;
};

function described<Of extends Fields>(fields: Of): Described<Of> {
  const inMessage = (name: string): string => name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  const rows = Object.entries(fields).map(([name, of]) => ({ ...of, name, inMessage: inMessage(name) }));
  return { fields, rows };
}

function field<Is extends What, Value>(is: Is, says: string, shape: Shape<Value>): Shape<Value> & Said<Is> {
  return { ...shape, is, says };
}

function part<Of extends Fields>(message: Described<Of>, says: string): Shape<RecordOf<Of> | undefined> & Said<Described<Of>> {
  return field(message, says, maybe(record(message.fields)));
}

const text = byDefault(plainText, "");
const isSo = byDefault(truth, false);
/** A time up to 9999-12-31T23:59:59Z. JSON has no form for a later time, so one such time would break every list. */
const time = maybe(whole(0, 253_402_300_799, "a time from 1970 to 9999"));

const anyWords = matching(/^[^\p{C}\p{Zl}\p{Zp}]{0,256}$/u, "one line of at most 256 printable characters");
/** A word of the updater's. A later release may have more words. */
const words = byDefault(anyWords, "");

const bootId = matching(/^[A-Za-z0-9-]{1,64}$/, "1 to 64 letters, digits and hyphens");
const updaterKind = openWords({ unit: true, off: true, kube: true });
const windowKind = openWords({ schedule: true, setting: true, none: true });

/** More than an updater keeps, which is ten. */
const mostRejected = 16;

const decision = described({
  kind: field("text", "stay, move or stop; later releases may have more", words),
  why: field("text", "the reason, as svc-upgrade status has it", words),
  until: field("time", "until when, where that is known", time),
} satisfies FieldsOf<Decision>);

const outcome = described({
  kind: field("text", "moved, undone, failed, stopped or stayed; later releases may have more", words),
  version: field("text", "of which version", text),
  fault: field("text", "the code of its fault", maybe(anyWords)),
  at: field("time", "when", time),
} satisfies FieldsOf<Outcome>);

const updaterFields = {
  kind: field("text", "unit (its timer is on), off (its timer is off) or kube", updaterKind),
  package: field("text", "the package that it keeps", text),
  channel: field("text", "the channel that it follows", text),
  installed: field("text", "the version that is installed", text),
  served: field("text", "the version that the channel serves; empty where none was heard", text),
  decision: part(decision, "what it last decided"),
  step: field("text", "the step of a move that is under way", maybe(anyWords)),
  outcome: part(outcome, "how its last move ended"),
  rejected: field("texts", "versions that failed there", byDefault(listOf(plainText, mostRejected), [])),
  held: field("flag", "whether root holds it", isSo),
  held_until: field("time", "until when root holds it", time),
  window: field("text", "whose window it heeds: schedule (the cluster's), setting (its own) or none", byDefault(windowKind, "")),
  looked: field("time", "when its last pass began", time),
  asks_as: field("text", "by which id it names itself to channels that ask for it", text),
  unhealthy: field("flag", "whether two passes in a row have found the agent unhealthy", isSo),
  downgrade: field("text", "allow or refuse: whether it goes back to an older version; empty where it does not say", words),
} satisfies FieldsOf<Updater>;
export type ReportedUpdater = RecordOf<typeof updaterFields>;

const os = described({
  id: field("text", "ID of os-release, such as debian", text),
  version_id: field("text", "VERSION_ID of os-release; empty where it has none", text),
} satisfies FieldsOf<OperatingSystem>);

const detailFields = {
  os: part(os, "the operating system; missing where it is not known"),
  updater: part(described(updaterFields), "missing where none is installed"),
};

/** The part of a report that only the list needs. Name, services and version are left out, because a join sends them too. */
export const details: Described<typeof detailFields> = described(
  detailFields satisfies FieldsOf<Omit<InventoryEntry, OutsideReports>>,
);
type OutsideReports =
  | "id"
  | "hostname"
  | "services"
  | "version"
  | "upgrader"
  | "reported"
  | "rollout"
  | "silent"
  | "gone"
  | "misfit"
  | "labels";

const reportFields = {
  boot_id: field("text", "the boot that it reports from", bootId),
  counter: field("number", "rises with every report of a boot", count),
  hostname: field("text", "as it said itself", anyWords),
  services: field("texts", "what it runs: node, proxy or auth", byDefault(listOf(plainText, 16), [])),
  version: field("text", "as it said itself", text),
  ...detailFields,
  public_addr: field("text", "where clients reach a proxy; empty for others", text),
  labels: field("labels", "its own labels", byDefault(labels, {})),
  goodbye: field("flag", "whether the host goes down in order", isSo),
} satisfies FieldsOf<ReportRequest>;

/** An instance's report about itself. */
export const report: Described<typeof reportFields> = described(reportFields);
export type Report = RecordOf<typeof reportFields>;

/** Takes a message's values under their names in the .proto. Leaves empty text out. */
export function fromMessage(message: object, { rows }: Described): Mapping {
  const values: Record<string, unknown> = {};
  for (const { name, inMessage, is } of rows) {
    const found = (message as Mapping)[inMessage];
    if (found === undefined || found === "") continue;
    if (is === "time") values[name] = Number((found as Timestamp).seconds);
    else if (typeof is === "object") values[name] = fromMessage(found as object, is);
    else values[name] = is === "number" ? Number(found) : found;
  }
  return values;
}

/** Makes a message, or its JSON. The two differ only in how times are written. */
export function toMessage(values: object, { rows }: Described, timeOf: (at: UnixSeconds) => unknown): object {
  const message: Record<string, unknown> = {};
  for (const { name, inMessage, is } of rows) {
    const value = (values as Mapping)[name];
    if (value === undefined) continue;
    if (is === "time") message[inMessage] = timeOf(value as UnixSeconds);
    else message[inMessage] = typeof is === "object" ? toMessage(value as object, is, timeOf) : value;
  }
  return message;
}
