import { ownManager, type ObjectKind } from "../../../src/kube/objects/seen.ts";

/** What becomes of a container that has this image. */
export const healths = ["well", "slow", "unready", "crashes", "flaps", "not pulled"] as const;
export type Health = (typeof healths)[number];

export function isGood(health: Health): boolean {
  return health === "well" || health === "slow";
}

export type Node = { isDown: boolean; downSince: number };

export type Pod = {
  readonly name: string;
  readonly uid: string;
  readonly owner: string;
  readonly revision: string;
  readonly image: string;
  readonly madeAt: number;
  /** Rises with each change. */
  resourceVersion: number;
  node: Node | undefined;
  startedAt: number | undefined;
  /** How often its container has ended, and when it begins again. */
  ends: number;
  againAt: number;
  blipUntil: number;
  endsAt: number | undefined;
  areContainersReady: boolean;
  isReady: boolean;
  readySince: number;
};

export type Place = {
  readonly kind: ObjectKind;
  readonly name: string;
  readonly isParallel: boolean;
  readonly minReadySeconds: number;
};

/** Who has set an image, as the API server notes it. */
export const setters = {
  updater: { manager: ownManager, operation: "Update" },
  person: { manager: "kubectl-set", operation: "Update" },
  tool: { manager: "helm", operation: "Apply" },
} as const;
export type Setter = keyof typeof setters;

/** What a controller sees and does of its cluster. */
export type Home = {
  readonly now: number;
  readonly pods: Pod[];
  changedAt: number;
  readonly fresh: (prefix: string) => string;
  readonly make: (pod: Pick<Pod, "name" | "owner" | "revision" | "image">) => boolean;
  readonly end: (pod: Pod) => void;
};
