import type { Decision, Move, Stay, StayReason } from "./object-decision.ts";
import type { ObjectFacts, ObjectPolicy } from "./object-facts.ts";
import { decide, stayOf } from "./decide-object.ts";
import type { ObjectLift } from "./object-lift.ts";
import type { LookupRules } from "./registry-settings.ts";

/** What a registry says about the image to set and the running one. */
export type Found =
  | {
      readonly kind: "there";
      readonly digest: string;
      /** Platforms that the running image has and the new one lacks. */
      readonly lacks: readonly string[];
      /** Whether the running image is still there, or why that is unknown. */
      readonly before: "there" | "gone" | { readonly why: string };
    }
  | { readonly kind: "not-there" }
  | { readonly kind: "unknown" | "busy" | "lies"; readonly why: string };

/** The images to look up. */
export type Images = { readonly from: string; readonly to: string };

/** A digest that no rejected version has. */
const anyOther = "";

/**
 * The move that only a registry may still forbid; undefined if no registry needs to be asked. Also asks about a rejected version, whose tag may name
 * another image now.
 */
export function moveToLookUp(decided: Decision, facts: ObjectFacts, policy: ObjectPolicy): Move | undefined {
  const hopeful =
    decided.kind === "stay" && decided.why === "rejected" ? decide({ ...facts, digest: anyOther }, policy) : decided;
  return hopeful.kind === "move" ? hopeful : undefined;
}

export type Judging = { readonly facts: ObjectFacts; readonly policy: ObjectPolicy; readonly rules: LookupRules };

/** Decides again with the registry's answer. */
export function decideWith(found: Found, move: Move, { facts, policy, rules }: Judging): Decision {
  const { image } = move.target;
  const stay = (why: StayReason, told: string, lift: ObjectLift): Stay => stayOf({ kind: "stay", why, told, lift }, policy);
  switch (found.kind) {
    case "not-there":
      return stay("not-offered", `the registry does not have ${image}`, "push the image");
    case "lies":
      return stay("digest-mismatch", `${image}: ${found.why}`, "repair the registry");
    case "busy":
      return stay("registry-busy", `it is not known yet whether there is ${image}: ${found.why}`, "time");
    case "unknown": {
      const told = `it is not known whether there is ${image}: ${found.why}`;
      if (rules.pin === "digest") return stay("not-pinned", told, "let the registry be read, or do not pin");
      if (rules.lookup === "require") return stay("not-looked-up", told, "let the registry be read, or prefer");
      return said(decide(facts, policy), told);
    }
    case "there":
      return decideWithDigest(found, { facts, policy, rules, stay });
  }
}

type There = Extract<Found, { kind: "there" }>;
type Staying = Judging & { readonly stay: (why: StayReason, told: string, lift: ObjectLift) => Stay };

function decideWithDigest({ digest, lacks, before }: There, { facts, policy, rules, stay }: Staying): Decision {
  const decided = decide({ ...facts, digest }, policy);
  if (decided.kind !== "move") return decided;
  const { target } = decided;
  const same = facts.memory.standing.rejected.find((row) => row.digest === digest);
  if (same !== undefined) {
    const told = `${target.image} is the image that was rejected here as ${same.artifact}: ${same.why}`;
    return stay("rejected", told, "another artifact of the registry");
  }
  if (lacks.length > 0) {
    const told = `${target.image} is not there for ${lacks.join(", ")}, which the image that runs is there for`;
    return stay("not-offered", told, "push the image");
  }
  if (before === "gone" && rules.lookup === "require") {
    return stay(
      "not-offered",
      "the registry does not have the image that runs any more: there would be no way back",
      "push the image",
    );
  }
  const image = rules.pin === "digest" ? `${target.image}@${digest}` : target.image;
  const doubt = before === "gone" ? "the registry does not have it any more" : before === "there" ? undefined : before.why;
  const looked: Move = { ...decided, target: { ...target, image, digest } };
  return doubt === undefined ? looked : said(looked, `of the image that runs: ${doubt}`);
}

/** Adds a remark only to a move, so that it is logged once. */
function said<T extends Decision>(decision: T, told: string): T {
  return decision.kind === "move" ? { ...decision, told: `${decision.told}; ${told}` } : decision;
}
