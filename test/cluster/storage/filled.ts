import type { AuditEntry, Change, Commit, Store } from "../../../src/cluster/storage/port.ts";

export function entry(event: string): AuditEntry {
  return { event, actor: "root@here", origin: "socket", kind: "role", name: "a", before: undefined, after: { a: 1 }, detail: "" };
}

export function put(kind: string, name: string, body: object = {}): Change {
  return { kind: "put", item: { kind, name }, body: body as {}, expect: { kind: "anything" } };
}

export function commit(changes: readonly Change[], audit: readonly AuditEntry[] = []): Commit {
  return { at: 1000, by: "root@here", changes, audit };
}

/** 250 roles of some size, in five commits with an event each. */
export async function fillSome(store: Store): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    const roles = Array.from({ length: 50 }, (_, index) => put("role", `r${round}-${index}`, { text: `${round}`.repeat(300) }));
    await store.commit(commit(roles, [entry(`round ${round}`)]));
  }
}

/** Of the child that commits until it is killed: so many are in hand together. */
export const atOnce = 3;
