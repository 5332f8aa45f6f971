import { ended, type Ended } from "../call/result.ts";
import type { Transact } from "../call/transact.ts";
import { rpmEnvironment } from "./environment.ts";

/** Removes files that the manager makes again by itself. */
export type RemoveCaches = (paths: readonly string[]) => Promise<Ended>;

export function removeCaches(transact: Transact): RemoveCaches {
  return async (paths) =>
    ended(await transact({ argv: ["rm", "-rf", "--", ...paths], env: rpmEnvironment, what: "remove damaged caches" }), "rm");
}
