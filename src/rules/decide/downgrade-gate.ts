import { majorOf, type Version } from "../version/version.ts";
import type { Refusal } from "./gate-answer.ts";
import type { Situation } from "./gate.ts";

/** Gate 10: downgrades. */
export function directionGate({ policy, target }: Pick<Situation, "policy" | "target">): Refusal | undefined {
  if (target.kind === "downgrade" && policy.downgrade === "refuse") {
    return {
      kind: "stay",
      why: "downgrade-refused",
      told:
        policy.pin === undefined
          ? `the channel serves ${target.to}, older than the installed ${target.from}`
          : `${target.to} is older than the installed ${target.from}`,
      lift: "allow downgrades",
    };
  }
  if (target.kind === "upgrade" && policy.major === "one-step" && crossesMajors(target.from, target.to)) {
    return {
      kind: "stay",
      why: "major-refused",
      told: `${target.from} to ${target.to} is more than one major version`,
      lift: "allow majors",
    };
  }
  return undefined;
}

export function crossesMajors(from: Version, to: Version): boolean {
  return majorOf(to) - majorOf(from) > 1;
}
