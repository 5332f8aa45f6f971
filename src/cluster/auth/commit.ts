import type { AuditKind } from "../access/permission.ts";
import type { AuditEntry, Change, Committed } from "../storage/port.ts";
import { actorOf, originOf, type Caller } from "./caller.ts";
import type { AuthContext } from "./context.ts";

/** An entry without who did it from where: that is the caller of the call. Without a kind it is about all of them. */
export type Told = Omit<AuditEntry, "actor" | "origin" | "kind"> & { readonly kind: AuditKind | "" };

/** Changes and what is told of them, in one commit; then the same in the log, for whoever looks there, or has lost the store. */
export async function commitFor(
  caller: Caller,
  { changes, audit }: { readonly changes: readonly Change[]; readonly audit: readonly Told[] },
  { store, now, log }: Pick<AuthContext, "store" | "now" | "log">,
): Promise<Committed> {
  const by = actorOf(caller);
  const entries = audit.map((told) => ({ ...told, actor: by, origin: originOf(caller) }));
  const committed = await store.commit({ at: now(), by, changes, audit: entries });
  if (committed.kind === "overtaken") return committed;
  for (const { event, actor, origin, kind, name, detail } of entries) {
    log("info", "audit", {
      event,
      actor,
      origin,
      kind,
      name,
      detail: detail === "" ? undefined : detail,
      revision: committed.revision,
    });
  }
  return committed;
}
