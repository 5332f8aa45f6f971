import type { Log } from "../../machine/logging/log.ts";
import { statuses, type ApiFailure, type ApiServer, type Followed, type Sight } from "../api-server/api-server.ts";

export type Following = {
  readonly api: Pick<ApiServer, "follow">;
  readonly log: Log;
  readonly stopping: AbortSignal;
  readonly changed: () => void;
};

/** What to follow: one item by its name, those with a label, or all of a path. */
type What<T> = Omit<Followed<T>, "fieldSelector"> & { readonly name?: string };

/** Everything that is followed. */
export class Watches {
  readonly all: Promise<void>[] = [];
  readonly #following: Following;
  /** Names of items that have no answer yet or cannot be followed. */
  readonly #awaited = new Set<string>();
  readonly #troubles = new Map<string, ApiFailure>();

  constructor(following: Following) {
    this.#following = following;
  }

  /** Follows items. `keep` takes each sight, and returns whether it is a reason to look. */
  follow<T>({ name, ...what }: What<T>, keep: (sight: Sight<T>) => boolean): void {
    const { api, stopping, changed } = this.#following;
    const told = [what.path.replace(/^.*\//, ""), ...(name === undefined ? [] : [name])].join("/");
    this.#awaited.add(told);
    const seen = (sight: Sight<T>): void => {
      // A look may have waited only for this item, even if it has not changed.
      const wasAwaited = this.#awaited.has(told);
      if (sight.kind === "unreachable") this.#awaited.add(told);
      else this.#awaited.delete(told);
      this.#tellTrouble(told, sight);
      // Calls changed for any trouble too, because somebody may wait for a first sight.
      if (keep(sight) || wasAwaited || sight.kind !== "known") changed();
    };
    this.all.push(api.follow({ ...what, fieldSelector: name === undefined ? "" : `metadata.name=${name}` }, seen, stopping));
  }

  isAwaited(): boolean {
    return this.#awaited.size > 0;
  }

  trouble(): { readonly name: string; readonly failure: ApiFailure } | undefined {
    const [first] = this.#troubles;
    return first && { name: first[0], failure: first[1] };
  }

  /** The first refusal among these items or those that all objects share. */
  refusedOf(names: readonly string[]): string | undefined {
    for (const [name, { kind, message }] of this.#troubles) {
      const isIts = !name.includes("/") || names.includes(name);
      if (kind === "refused" && isIts) return `${name} cannot be seen: ${message}`;
    }
    return undefined;
  }

  /** Logs a trouble once, and its end. */
  #tellTrouble(name: string, sight: Sight<unknown>): void {
    const { log } = this.#following;
    const before = this.#troubles.get(name);
    if (sight.kind === "known") {
      if (before !== undefined) log("info", "it can be watched again", { name });
      this.#troubles.delete(name);
      return;
    }
    this.#troubles.set(name, sight);
    if (before?.message === sight.message) return;
    log("warning", "it cannot be watched", {
      name,
      why: sight.message,
      hint: hintOfRefusal(sight, watchRights),
    });
  }
}

export const watchRights = "give the service account list and watch on it";

/** The hint for a refused request. Returns `rights` unless the API server refused the token. */
export function hintOfRefusal(failure: ApiFailure, rights: string): string | undefined {
  if (failure.kind !== "refused") return undefined;
  return failure.status === statuses.unauthorized
    ? "see that the token of the updater's service account is still valid, and of this cluster"
    : rights;
}
