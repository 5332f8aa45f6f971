import type { Version } from "../../rules/version/version.ts";
import type { Standing } from "./move-memory.ts";
import type { SeenObject } from "./seen.ts";

/** Another object of the same updater: what its record says, and what it is meanwhile. */
export type Other = {
  /** As kubectl takes it: `statefulset/agent`. */
  readonly reference: string;
  readonly isOfSameChannel: boolean;
  /** Undefined: nothing of it can be seen at present. */
  readonly known: KnownOther | undefined;
};

export type KnownOther = {
  /** Undefined: there is none of that name. */
  readonly object: SeenObject | undefined;
  readonly current: Version | undefined;
  readonly standing: Standing;
};
