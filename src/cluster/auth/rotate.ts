import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ClusterService, RotateAuthorityResponseSchema } from "../api/generated/svc/v1/cluster_pb.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { authoritiesOf, authorityKey, newAuthority, type Authorities } from "./cluster.ts";
import { put, type Told } from "./changes.ts";
import { commitFor } from "./commit.ts";
import type { Caller } from "./caller.ts";
import type { AuthContext } from "./context.ts";
import { everyItem } from "./every-item.ts";
import type { HandlersOf } from "./handlers.ts";
import { instanceRow } from "./instance-row.ts";
import { renewableSeconds } from "./renew.ts";
import { findRow, rowOf } from "./row-forms.ts";
import { newSshAuthority, sshAuthorities, sshUses } from "./ssh-authority.ts";
import { sshHost, sshHostKey } from "./ssh-host.ts";

const mostNamed = 100;
/** Exists during a rotation, so that no second one begins. */
const rotationKey = { kind: "ca-rotation", name: "current" };

type Answer = MessageInitShape<typeof RotateAuthorityResponseSchema>;

/** Takes the next step of a rotation. Reads the authorities again: another auth may have taken a step. */
export const rotateAuthority: HandlersOf<typeof ClusterService>["rotateAuthority"] = async (context, caller, { force }) => {
  const authorities = await authoritiesOf(context.store);
  return authorities.trusted.length === 1 ? begin(context, caller, authorities) : finish(context, caller, { authorities, force });
};

async function begin(context: AuthContext, caller: Caller, { serving }: Authorities): Promise<Answer> {
  const now = context.now();
  // Later than the older authority's, whatever the clock says. The order of these times tells which is newer.
  const made = Math.max(now, serving.made + 1);
  const { pin, change } = await newAuthority(context.cluster.id, { now, made });
  const ofSsh = await Promise.all(sshUses.map((use) => newSshAuthority(use, made)));
  const mark = put(rotationKey, { newer: pin, begun: now }, undefined);
  const told = entry("ca.rotation-begun", pin, `trusted beside ${serving.pin}`);
  const committed = await commitFor(caller, { changes: [change, mark, ...ofSsh], audit: [told] }, context);
  if (committed.kind === "overtaken") throw overtaken();
  const authorities = await authoritiesOf(context.store);
  const unseen = await unseenBy(context, authorities);
  return { step: "begun", caPins: pinsOf(authorities), ...unseen };
}

type Finishing = { readonly authorities: Authorities; readonly force: boolean };

async function finish(context: AuthContext, caller: Caller, { authorities, force }: Finishing): Promise<Answer> {
  const { signing, serving } = authorities;
  const unseen = await unseenBy(context, authorities);
  if (unseen.unseen > 0 && !force) throw unfinished(unseen);
  const old = await context.store.get(authorityKey(serving.pin));
  if (old === undefined) throw overtaken();
  const ofSsh = await Promise.all(sshUses.map((use) => sshAuthorities(context.store, use, "")));
  const oldOfSsh = ofSsh.flatMap((all) => all.slice(0, -1).map(({ item }) => item));
  const changes = [rotationKey, old, ...oldOfSsh].map((item) => ({
    kind: "delete" as const,
    item,
    expect: { kind: "present" as const },
  }));
  const detail = unseen.unseen > 0 ? `forced: ${unseen.unseen} had not seen it` : "everybody had seen it";
  const told = entry("ca.rotation-finished", signing.pin, detail);
  const removal = { kind: "authority", at: context.now(), name: serving.pin, revision: old.revision, until: undefined } as const;
  const committed = await context.removals.during(removal, () => commitFor(caller, { changes, audit: [told] }, context));
  if (committed.kind === "overtaken") throw overtaken();
  return { step: "finished", caPins: [signing.pin], ...unseen };
}

type Named = { readonly id: string; readonly hostname: string; readonly kind: string };
type Unseen = { readonly unseen: number; readonly unseenBy: Named[] };

/**
 * Counts the instances that the older authority certified last, or whose sshd does not know the newer SSH key. Skips those that can no longer renew.
 */
async function unseenBy({ store, now }: Pick<AuthContext, "store" | "now">, { signing }: Authorities): Promise<Unseen> {
  const newest = (await sshAuthorities(store, "user", "")).at(-1)?.item.name ?? "";
  const named: Named[] = [];
  let unseen = 0;
  for await (const item of everyItem(store, "instance")) {
    const { kind, hostname, authority, removed, certificate_until: until } = rowOf(instanceRow, item);
    if (removed !== undefined || until + renewableSeconds < now()) continue;
    const sshd = await findRow(store, sshHost, sshHostKey(item.name));
    const lacks = [
      ...(kind === "auth" || authority === signing.pin ? [] : [kind]),
      ...(sshd === undefined || sshd.row.knows.includes(newest) ? [] : ["sshd"]),
    ];
    if (lacks.length === 0) continue;
    unseen += 1;
    if (named.length < mostNamed) named.push({ id: item.name, hostname, kind: lacks.join(", ") });
  }
  return { unseen, unseenBy: named };
}

function entry(event: string, pin: string, detail: string): Told {
  return { event, kind: "ca", name: pin, detail };
}

function pinsOf({ trusted }: Authorities): string[] {
  return trusted.map(({ pin }) => pin);
}

function unfinished({ unseen, unseenBy: named }: Unseen): Fault {
  const who = unseen === 1 ? "1 instance has" : `${unseen} instances have`;
  const most = unseen > named.length ? `; the first ${named.length}` : "";
  return new Fault("rotation-unfinished", {
    message: `${who} not seen the newer certificate authority${most}:`,
    hint: "they do within six hours where svc runs, and at once after `sudo systemctl reload svc` there; an sshd does after `sudo svc ssh setup` on its host; `tctl instances rm ID` removes an instance that no longer exists; `tctl ca rotate --force` leaves them behind, and they join again",
    wrong: named.map(({ id, kind, hostname }) => ({ at: id, found: `${kind} ${hostname}`, allowed: "" })),
  });
}

function overtaken(): Fault {
  return new Fault("auth-busy", {
    message: "somebody else rotates the certificate authority",
    hint: "ask again: `tctl ca rotate`",
  });
}
