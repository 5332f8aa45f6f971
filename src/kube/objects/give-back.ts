import type { Operation } from "./image-patch.ts";
import { leftToOthers, suspended } from "./object-gates.ts";
import type { ObjectPolicy } from "./object-facts.ts";
import { ownManager, type SeenObject } from "./seen.ts";

/**
 * The patch that removes this updater's entry from managedFields, so that `helm upgrade` and `helm rollback` meet no conflict between moves.
 * Undefined if there is no entry, or if it must stay: a GitOps tool reads from it which fields to ignore.
 */
export function giveBackPatch(object: SeenObject, mode: ObjectPolicy["mode"]): readonly Operation[] | undefined {
  const { uid, generation, ownEntry } = object;
  if (ownEntry === undefined || mode === "update") return undefined;
  if (suspended(object) !== undefined || leftToOthers(object, mode) !== undefined) return undefined;
  const path = `/metadata/managedFields/${ownEntry}`;
  return [
    { op: "test", path: "/metadata/uid", value: uid },
    // Another updater may have begun a move meanwhile.
    { op: "test", path: "/metadata/generation", value: generation },
    { op: "test", path: `${path}/manager`, value: ownManager },
    { op: "remove", path },
  ];
}
