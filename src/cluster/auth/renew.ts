import type { JoinService } from "../api/generated/svc/v1/join_pb.ts";
import { Fault } from "../../rules/fault/fault.ts";
import type { InstanceId } from "../identity/names.ts";
import { pinOf } from "../identity/pin.ts";
import type { Change } from "../storage/port.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { Caller } from "./caller.ts";
import { backdateSeconds } from "./cluster.ts";
import { keyIn } from "./certify.ts";
import { put, retrying, type overtaken, type Told } from "./changes.ts";
import type { AuthContext } from "./context.ts";
import type { HandlersOf } from "./handlers.ts";
import { instanceKey, instanceRow, keyOwner, keyOwnerKey } from "./instance-row.ts";
import { issueIdentity, type Identity } from "./issue-identity.ts";
import { aboutIn } from "./join.ts";
import { bodyOf, findRow } from "./row-forms.ts";

/** How long an expired certificate can still renew: a host may have been switched off. */
export const renewableSeconds: number = 365 * 86_400;

export const renew: HandlersOf<typeof JoinService>["renew"] = async (context, caller, request) => {
  const renewing = renewingBy(caller, context);
  const about = aboutIn(request);
  const publicKey = await keyIn(request.certificateRequest);
  const again = async (): Promise<Identity | typeof overtaken> => {
    const { id, serial, from } = renewing;
    const found = await findRow(context.store, instanceRow, instanceKey(id));
    if (found === undefined) throw refused("its instance is unknown");
    const { item, row } = found;
    if (row.removed !== undefined) throw refused("its instance was removed");
    const key = pinOf(publicKey);
    const ownerChanges = await ownKey(context, { key, id });
    const isKnown = serial === row.issued || serial === row.current;
    // A clone has an unknown certificate that is older than the known ones. An unknown newer one was issued after the restored backup.
    const isCloned = !isKnown && from + backdateSeconds <= row.renewed;
    const renewed = {
      ...row,
      ...about,
      key,
      current: isCloned ? row.current : serial,
      cloned: isCloned ? context.now() : row.cloned,
    };
    const audit = isCloned ? [clonedEntry(id, serial)] : [];
    return issueIdentity(context, caller, { id, publicKey, row: renewed, before: item, changes: ownerChanges, audit });
  };
  return { identity: await retrying(again, { message: "others renewed the same instance meanwhile" }) };
};

type Renewing = { readonly id: InstanceId; readonly serial: string; readonly from: UnixSeconds };

/** Finds the certificate that renews; it may have expired. TLS has proven that the caller has its key. */
function renewingBy(caller: Caller, { now }: Pick<AuthContext, "now">): Renewing {
  if (caller.kind === "instance") return { id: caller.id, serial: caller.serial, from: caller.from };
  if (caller.kind === "root") throw refused("root's socket has none");
  if (caller.kind !== "stranger") throw refused("people have none");
  const { past, why } = caller;
  if (why === "removed") throw refused("its instance was removed");
  if (past === undefined) throw refused(`it does not count (${why})`);
  if (now() > past.until + renewableSeconds) throw refused("it expired more than a year ago");
  return { id: past.subject.id, serial: past.serial, from: past.from };
}

/** Refuses a new key that belongs to another instance. */
async function ownKey(
  { store }: AuthContext,
  { key, id }: { readonly key: ReturnType<typeof pinOf>; readonly id: InstanceId },
): Promise<readonly Change[]> {
  const owner = await findRow(store, keyOwner, keyOwnerKey(key));
  if (owner === undefined) return [put(keyOwnerKey(key), bodyOf(keyOwner, { instance: id }), undefined)];
  if (owner.row.instance !== id) throw refused("the new key belongs to another instance");
  return [];
}

function clonedEntry(id: InstanceId, serial: string): Told {
  const detail = `renewed by serial ${serial}, which is not its newest: two hosts have its key`;
  return { event: "instance.cloned", kind: "instance", name: id, detail };
}

function refused(why: string): Fault {
  return new Fault("identity-refused", {
    message: `the certificate cannot be renewed: ${why}`,
    hint: "join again: `svc join --replace` with a token of `tctl tokens add`",
  });
}
