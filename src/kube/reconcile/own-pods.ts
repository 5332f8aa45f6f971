import type { Sight } from "../api-server/api-server.ts";
import { ownPods, type OwnPods, type SeenPod, type SeenReplicaSet } from "../objects/pods.ts";
import type { ObjectKind, SeenObject } from "../objects/seen.ts";

type Owner = { readonly uid: string; readonly owner: string };

/** The uids of owners whose pods have changed; "all" if unknown. */
export type Whose = ReadonlySet<string> | "all";

/** Pods or ReplicaSets of a namespace, by the uid of their controller. */
class Owned<T extends Owner> {
  #isKnown = false;
  readonly #byOwner = new Map<string, Map<string, T>>();
  readonly #byName = new Map<string, T>();
  readonly #ownerOf = new Map<string, string>();

  take(sight: Sight<T>): Whose {
    const wasKnown = this.#isKnown;
    this.#isKnown = sight.kind === "known";
    if (sight.kind === "known" && sight.changed !== undefined && wasKnown) {
      return this.#set(sight.changed, sight.items.get(sight.changed));
    }
    for (const index of [this.#byOwner, this.#byName, this.#ownerOf]) index.clear();
    if (sight.kind === "known") for (const [name, item] of sight.items) this.#set(name, item);
    return "all";
  }

  /** Undefined while they are unknown. */
  of(owner: string): readonly T[] | undefined {
    return this.#isKnown ? [...(this.#byOwner.get(owner)?.values() ?? [])] : undefined;
  }

  ownerOf(uid: string): string | undefined {
    return this.#ownerOf.get(uid);
  }

  #set(name: string, item: T | undefined): Whose {
    const before = this.#byName.get(name);
    if (before !== undefined) {
      const left = this.#byOwner.get(before.owner);
      left?.delete(name);
      if (left?.size === 0) this.#byOwner.delete(before.owner);
      this.#ownerOf.delete(before.uid);
      this.#byName.delete(name);
    }
    if (item !== undefined) {
      const those = this.#byOwner.get(item.owner) ?? new Map<string, T>();
      this.#byOwner.set(item.owner, those.set(name, item));
      this.#ownerOf.set(item.uid, item.owner);
      this.#byName.set(name, item);
    }
    return new Set([before?.owner, item?.owner].filter((owner) => owner !== undefined));
  }
}

/** The pods of a namespace, and the ReplicaSets through which Deployments own pods. */
export class PodSights {
  readonly #pods = new Owned<SeenPod>();
  readonly #sets = new Owned<SeenReplicaSet>();

  takePods(sight: Sight<SeenPod>): Whose {
    const owners = this.#pods.take(sight);
    return owners === "all" ? "all" : new Set([...owners].map((owner) => this.#sets.ownerOf(owner) ?? owner));
  }

  takeSets(sight: Sight<SeenReplicaSet>): Whose {
    return this.#sets.take(sight);
  }

  own(kind: ObjectKind, found: SeenObject): OwnPods | "unknown" {
    if (kind === "StatefulSet") {
      const pods = this.#pods.of(found.uid);
      return pods === undefined ? "unknown" : ownPods(found, pods, undefined);
    }
    const sets = this.#sets.of(found.uid);
    const pods = sets?.map(({ uid }) => this.#pods.of(uid)) ?? [];
    if (sets === undefined || this.#pods.of(found.uid) === undefined) return "unknown";
    return ownPods(
      found,
      pods.flatMap((those) => those ?? []),
      sets,
    );
  }
}
