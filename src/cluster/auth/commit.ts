import type { Change, Committed } from "../storage/port.ts";
import { actorOf, originOf, type Caller } from "./caller.ts";
import { entryBy, type Told } from "./changes.ts";
import type { AuthContext } from "./context.ts";

/** Commits changes with their audit entries; "auth" as caller means that auth acts by itself. Then logs the entries, in case the store is lost. */
export async function commitFor(
  caller: Caller | "auth",
  { changes, audit }: { readonly changes: readonly Change[]; readonly audit: readonly Told[] },
  { store, now, log }: Pick<AuthContext, "store" | "now" | "log">,
): Promise<Committed> {
  const [by, from] = caller === "auth" ? ["auth", "auth"] : [actorOf(caller), originOf(caller)];
  const entries = audit.map((told) => entryBy(by, from, told));
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
