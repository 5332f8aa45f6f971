import type { FaultData } from "../fault/fault.ts";
import type { PackageVersion } from "../version/wrapped.ts";
import { compareVersions, majorOf, type Version } from "../version/version.ts";
import type { Binary, Facts, InstalledPackage } from "./facts.ts";
import type { Policy } from "./policy.ts";

/** A target that changes the host. */
export type Movement =
  | { readonly kind: "install"; readonly to: Version }
  | { readonly kind: "upgrade"; readonly from: Version; readonly to: Version }
  | { readonly kind: "downgrade"; readonly from: Version; readonly to: Version }
  | { readonly kind: "repair"; readonly from: Version | undefined; readonly to: Version; readonly why: string };

/** What the answer and the host together call for, before any gate. All but a movement leave nothing to do. */
export type Target =
  | { readonly kind: "absent" }
  | { readonly kind: "unreadable"; readonly packageVersion: PackageVersion }
  | { readonly kind: "unanswered"; readonly fault: FaultData }
  | { readonly kind: "no-version" }
  /** `there`: what a way back leads to is installed already; undefined: it leads nowhere. */
  | { readonly kind: "no-way-back"; readonly there: Version | undefined }
  | { readonly kind: "current"; readonly version: Version }
  | Movement;

/** Only a way back can do without an answer. */
const notAsked: FaultData = {
  code: "ask-failed",
  message: "the channel was not asked what it serves",
  hint: "nothing to do: the next pass asks",
  causes: [],
};

export function targetOf(facts: Facts, policy: Policy): Target {
  const { installed, answer } = facts;
  if (installed.kind === "absent" && policy.asked.absent === "stop") return { kind: "absent" };
  if (installed.kind === "present" && installed.version === undefined && installed.condition === "whole") {
    return { kind: "unreadable", packageVersion: installed.packageVersion };
  }
  if (policy.asked.when === "back") return wayBack(facts);
  if (answer.kind === "not-asked") return { kind: "unanswered", fault: notAsked };
  if (answer.kind === "fault") return { kind: "unanswered", fault: answer.fault };
  if (answer.served.kind === "none") return { kind: "no-version" };
  const served = answer.served.version;
  if (installed.kind === "absent") return { kind: "install", to: served };
  return targetOfPresent(installed, served, { binary: facts.binary, policy });
}

function targetOfPresent(
  installed: Extract<InstalledPackage, { kind: "present" }>,
  served: Version,
  { binary, policy }: { readonly binary: Binary; readonly policy: Policy },
): Target {
  const from = installed.version;
  if (installed.condition === "half-way" || from === undefined) {
    return { kind: "repair", from, to: repairVersion(served, from, policy), why: halfWay };
  }
  const damage = damageOf(binary, from);
  if (damage !== undefined) return { kind: "repair", from, to: repairVersion(served, from, policy), why: damage };
  const order = compareVersions(from, served);
  if (order === 0) return { kind: "current", version: from };
  return order < 0 ? { kind: "upgrade", from, to: served } : { kind: "downgrade", from, to: served };
}

/** To the version that the last move left, whatever is served. */
function wayBack({ installed, memory: { previous } }: Facts): Target {
  if (previous === undefined) return { kind: "no-way-back", there: undefined };
  const to = previous.version;
  if (installed.kind === "absent") return { kind: "install", to };
  const from = installed.version;
  if (installed.condition === "half-way" || from === undefined) return { kind: "repair", from, to, why: halfWay };
  const order = compareVersions(from, to);
  if (order === 0) return { kind: "no-way-back", there: to };
  return { kind: order < 0 ? "upgrade" : "downgrade", from, to };
}

export function crossesMajors(from: Version, to: Version): boolean {
  return majorOf(to) - majorOf(from) > 1;
}

/** A repair moves to the served version where a move could; else it mends the version that is there. */
function repairVersion(served: Version, from: Version | undefined, policy: Policy): Version {
  if (from === undefined) return served;
  if (compareVersions(served, from) < 0 && policy.downgrade === "refuse") return from;
  if (crossesMajors(from, served) && policy.major === "one-step") return from;
  return served;
}

const halfWay = "the package is only half installed";

/** What of an installed package calls for a repair, in words. */
export function damageIn(installed: InstalledPackage, binary: Binary): string | undefined {
  if (installed.kind === "absent") return undefined;
  if (installed.condition === "half-way") return halfWay;
  return installed.version === undefined ? undefined : damageOf(binary, installed.version);
}

function damageOf(binary: Binary, from: Version): string | undefined {
  switch (binary.kind) {
    case "not-asked":
      return undefined;
    case "missing":
      return "the agent's binary is missing";
    case "broken":
      return `the agent's binary does not run: ${binary.why}`;
    case "answers":
      return compareVersions(binary.version, from) === 0
        ? undefined
        : `the agent's binary says it is ${binary.version}, its package ${from}`;
  }
}
