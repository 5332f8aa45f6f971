import type { Version } from "../../rules/version/version.ts";
import type { Decision } from "./object-decision.ts";
import type { Standing } from "./move-memory.ts";
import type { SeenObject } from "./seen.ts";

/** One of the objects of an updater: what its record says, and what it is meanwhile. */
export type Member = {
  /** As kubectl takes it: `statefulset/agent`. */
  readonly reference: string;
  readonly channel: string;
  /** Undefined: nothing of it can be seen at present. */
  readonly known: KnownMember | undefined;
};

export type KnownMember = {
  /** Undefined: there is none of that name. */
  readonly object: SeenObject | undefined;
  readonly current: Version | undefined;
  readonly standing: Standing;
  /** The last one; undefined: no look has left one that can be read. */
  readonly decision: Decision | undefined;
  /** The version that it was served last. */
  readonly next: Version | undefined;
};
