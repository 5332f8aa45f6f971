import type { KeyObject } from "node:crypto";
import type { Change, Item } from "../storage/port.ts";
import type { InstanceId, Subject } from "../identity/names.ts";
import type { Caller } from "./caller.ts";
import { certify, identityMessage } from "./certify.ts";
import { overtaken, put, type Told } from "./changes.ts";
import { commitFor } from "./commit.ts";
import type { AuthContext } from "./context.ts";
import { instanceKey, instanceRow, type InstanceRow } from "./instance-row.ts";
import { bodyOf } from "./row-forms.ts";

type Issuing = {
  readonly id: InstanceId;
  readonly publicKey: KeyObject;
  /** The instance's row, without its new certificate. */
  readonly row: Omit<InstanceRow, "issued" | "renewed" | "certificate_until">;
  readonly before: Item | undefined;
  /** Further changes for the same commit. */
  readonly changes: readonly Change[];
  readonly audit: readonly Told[];
};
export type Identity = ReturnType<typeof identityMessage>;

/** Issues a certificate, and writes the instance's row in the same commit. */
export async function issueIdentity(
  context: AuthContext,
  caller: Caller,
  { id, publicKey, row, before, changes, audit }: Issuing,
): Promise<Identity | typeof overtaken> {
  const subject = { cluster: context.cluster.id, kind: row.kind, id };
  const issued = await certify(context, subject, publicKey);
  const renewed = { ...row, issued: issued.serial, renewed: context.now(), certificate_until: issued.until };
  const told = {
    changes: [...changes, put(instanceKey(id), bodyOf(instanceRow, renewed), before)],
    audit: [...audit, issuedEntry(subject, issued.serial)],
  };
  const committed = await commitFor(caller, told, context);
  return committed.kind === "done" ? identityMessage(context, subject, issued) : overtaken;
}

export function issuedEntry({ kind, id }: Subject, serial: string): Told {
  return { event: "certificate.issued", kind: "instance", name: id, detail: `serial ${serial}, of kind ${kind}` };
}
