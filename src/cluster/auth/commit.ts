import type { Change, Committed } from "../storage/port.ts";
import { actorOf, originOf, type Caller } from "./caller.ts";
import { entryBy, type Told } from "./changes.ts";
import type { AuthContext } from "./context.ts";

/**
 * Commits changes with their audit entries; "auth" as caller means that auth acts by itself. Then logs the entries, in case the store is lost. Throws where
 * a person has filled their share of the audit.
 */
export async function commitFor(
  caller: Caller | "auth",
  { changes, audit }: { readonly changes: readonly Change[]; readonly audit: readonly Told[] },
  { store, now, log, people }: Pick<AuthContext, "store" | "now" | "log" | "people">,
): Promise<Committed> {
  // The end of a session is not counted, so that everybody can sign out.
  const counted = audit.filter(({ event }) => event !== "session.ended");
  if (caller !== "auth" && caller.kind === "person") people.audit.take(caller.user, counted.length, now());
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
