import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { instanceKinds, parseInstanceId, type InstanceKind } from "../identity/names.ts";
import { parsePin, type Pin } from "../identity/pin.ts";
import type { Thumbprint } from "../identity/proof.ts";
import { byName, like, matching, plain, plainText, type Form } from "../resource/form.ts";
import { readOneOf } from "../../rules/settings/read-text.ts";
import { isMapping, refused, refusedAs } from "../../rules/settings/reading.ts";
import type { Item, ItemKey, JsonObject, Store } from "../storage/port.ts";

/** What the rows of instances and tokens are made of. They are read strictly too: a store may have been restored, or edited. */
export const instanceKind: Form<InstanceKind> = plain(readOneOf(instanceKinds), instanceKinds.join(", "));

export const pin: Form<Pin> = matching((text) => parsePin(text), "sha256: and 64 digits 0-9a-f");

/** Of a certificate, in lower-case hex. */
export const serial: Form<string> = like(/^[0-9a-f]{1,40}$/, "hexadecimal digits");

export const digest: Form<string> = like(/^[0-9a-f]{64}$/, "64 digits 0-9a-f: the SHA-256 of the token");

/** Of a key, as proofs are made with: RFC 7638. */
export const thumbprint: Form<Thumbprint> = matching(
  (text) => (/^[\w-]{43}$/.test(text) ? (text as Thumbprint) : undefined),
  "43 letters, digits and - _",
);

const anyHostname: Form<string> = like(
  /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252}[A-Za-z0-9])?$/,
  "a host name that is no UUID: letters, digits and . _ -, at most 254; svc.nodename in /etc/svc.yaml gives another",
);

/** Lists name instances by their ids too. */
export const hostname: Form<string> = {
  ...anyHostname,
  read: (raw, source) =>
    source !== "store" && typeof raw === "string" && parseInstanceId(raw.toLowerCase()) !== undefined
      ? refused(raw)
      : anyHostname.read(raw, source),
};

const labelName = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;

/** They are in every list and every choice of hosts. */
const mostLabels = 64;

const anyLabels: Form<Readonly<Record<string, string>>> = byName(plainText, {
  isName: (name) => labelName.test(name),
  allowed: "letters, digits and . _ -, at most 63, without host/",
});

export const labels: Form<Readonly<Record<string, string>>> = {
  ...anyLabels,
  read: (raw, source) => {
    const count = isMapping(raw) ? Object.keys(raw).length : 0;
    if (count <= mostLabels) return anyLabels.read(raw, source);
    return refusedAs([{ at: "", found: `${count} labels`, allowed: `at most ${mostLabels}` }]);
  },
};

/** Auth can read what it has stored; anything else somebody else has written. */
export function rowOf<Row>(form: Pick<Form<Row>, "read">, { kind, name, body }: Item): Row {
  const reading = form.read(body, "store");
  if (reading.kind === "value") return reading.value;
  const [wrong] = reading.refusals;
  throw new Fault("store-unreadable", {
    message: `the ${kind} ${quote(name)} in the store is damaged: ${wrong?.at ?? ""} is ${wrong?.found ?? "something else"}`,
    hint: "put a backup back, `tctl restore FILE`, or remove it and make it again",
  });
}

export type Stored<Row> = { readonly item: Item; readonly row: Row };

export async function findRow<Row>(
  store: Pick<Store, "get">,
  form: Pick<Form<Row>, "read">,
  key: ItemKey,
): Promise<Stored<Row> | undefined> {
  const item = await store.get(key);
  return item === undefined ? undefined : { item, row: rowOf(form, item) };
}

export function bodyOf<Row>(form: Form<Row>, row: Row): JsonObject {
  return form.write(row) as JsonObject;
}

/** Of what somebody sent: every fault at once. */
export function readSent<Value>(form: Form<Value>, raw: unknown, what: string): Value {
  const reading = form.read(raw, "file");
  if (reading.kind === "value") return reading.value;
  throw new Fault("request-refused", {
    message: `${what} is not taken`,
    hint: "correct what is named",
    wrong: reading.refusals.map(({ at, found, allowed = form.allowed }) => ({ at, found, allowed })),
  });
}
