import type { Version } from "../../rules/version/version.ts";
import type { Decision } from "./object-decision.ts";
import type { Standing } from "./move-memory.ts";
import type { SeenObject } from "./seen.ts";

/** An object of an updater: its record and its present state. */
export type Member = {
  /** The object's name for kubectl: `statefulset/agent`. */
  readonly reference: string;
  readonly channel: string;
  /** Undefined if the object cannot be seen at present. */
  readonly known: KnownMember | undefined;
};

export type KnownMember = {
  /** Undefined if the object does not exist. */
  readonly object: SeenObject | undefined;
  readonly current: Version | undefined;
  readonly standing: Standing;
  /** The last decision; undefined if no look has left a readable one. */
  readonly decision: Decision | undefined;
  /** The version that the channel served last. */
  readonly next: Version | undefined;
};
