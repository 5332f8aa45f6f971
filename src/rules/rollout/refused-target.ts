import type { Version } from "../version/version.ts";
import { compareVersions, majorOf } from "../version/version.ts";
import type { Spec } from "./spec.ts";
import { servedAfter, type Status } from "./status.ts";

export type RefusedTarget =
  | { readonly kind: "newer-major"; readonly auth: Version }
  | { readonly kind: "older"; readonly told: Version };

/** What is known of a channel before a rollout is written. */
export type Targeting = {
  /** The channel's last rollout. */
  readonly before: Status | undefined;
  readonly auth: Version;
  readonly downgrade: "refuse" | "allow";
};

/** Why a rollout may not have its target. Never refuses an edit that does not change the target. */
export function refusedTarget(
  { target }: Pick<Spec, "target">,
  { before, auth, downgrade }: Targeting,
): RefusedTarget | undefined {
  if (before?.undone === undefined && before?.target === target) return undefined;
  // A build from source has no major version.
  if (majorOf(auth) > 0 && majorOf(target) > majorOf(auth)) return { kind: "newer-major", auth };
  const told = before && newestTold(before);
  return downgrade === "refuse" && told !== undefined && compareVersions(target, told) < 0 ? { kind: "older", told } : undefined;
}

/** The newest version that hosts are told. After an undo, that is the version from before the rollout. */
function newestTold(before: Status): Version | undefined {
  if (before.undone === undefined) return before.target;
  const served = servedAfter(before);
  return served.kind === "version" ? served.version : undefined;
}
