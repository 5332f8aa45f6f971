import { isInForce } from "../../rules/decide/backoff.ts";
import type { Pin } from "../../rules/decide/gate-policy.ts";
import { exchange, wantedBy, type ServedVersion } from "../../rules/decide/served.ts";
import { kinds, maybe, sentence, type Of } from "../../rules/shape/shape.ts";
import type { PackageVersion } from "../../rules/version/wrapped.ts";
import { compareVersions, version, type Version } from "../../rules/version/version.ts";
import type { Binary, Facts, InstalledPackage, Repairs } from "./host-facts.ts";
import type { Policy } from "./host-policy.ts";

/** A target that changes the host. */
export const movement = kinds(
  {
    install: { to: version },
    upgrade: { from: version, to: version },
    downgrade: { from: version, to: version },
    /** Repairs the installed version. If that is unknown (`from` is undefined), goes to the served or pinned one. */
    repair: { from: maybe(version), to: version, why: sentence },
  },
  ["install"],
);
export type Movement = Of<typeof movement>;

/** What the answer and the host call for, before any gate. Without a movement there is nothing to do. */
export type Target =
  | { readonly kind: "absent" }
  | { readonly kind: "unreadable"; readonly packageVersion: PackageVersion }
  | Exclude<ServedVersion, { kind: "version" }>
  /** `there`: the version of the rollback, if it is installed already. Undefined if no earlier version is known. */
  | { readonly kind: "no-way-back"; readonly there: Version | undefined }
  | { readonly kind: "current"; readonly version: Version }
  | { readonly kind: "pinned"; readonly pin: Pin }
  | Movement;

export type TargetFacts = Pick<Facts, "installed" | "binary" | "answer" | "memory" | "now">;

export function targetOf(facts: TargetFacts, policy: Pick<Policy, "asked" | "pin">): Target {
  const { installed, answer } = facts;
  const { pin } = policy;
  if (installed.kind === "absent" && policy.asked.absent === "stop") return { kind: "absent" };
  if (installed.kind === "present" && installed.version === undefined && installed.condition === "whole") {
    return { kind: "unreadable", packageVersion: installed.packageVersion };
  }
  if (policy.asked.when === "back") return rollbackTarget(facts);
  const repair = repairOf(facts);
  if (repair !== undefined) return insteadOf(repair, facts, pin) ?? repair;
  const wanted = wantedBy(answer, pin);
  if (wanted.kind !== "version") return wanted;
  const to = wanted.version;
  if (installed.kind === "absent") return { kind: "install", to };
  const from = installed.version;
  if (from === undefined) return { kind: "repair", from, to, why: halfWay };
  return exchange(from, to) ?? (pin === undefined ? { kind: "current", version: from } : { kind: "pinned", pin });
}

export type Repair = Extract<Movement, { kind: "repair" }> & { readonly from: Version };

/** The repair of a damaged package, which comes first: at the installed version, whatever the server serves or whether it answers. */
export function repairOf({ installed, binary }: Pick<Facts, "installed" | "binary">): Repair | undefined {
  const why = damageIn(installed, binary);
  if (why === undefined || installed.version === undefined) return undefined;
  return { kind: "repair", from: installed.version, to: installed.version, why };
}

export function isRepairOfInstalled(target: Movement): target is Repair {
  return target.kind === "repair" && target.from === target.to;
}

/** A repair puts back the installed package itself. */
export function packageToPutBack(target: Movement, installed: InstalledPackage): PackageVersion | undefined {
  return isRepairOfInstalled(target) ? installed.packageVersion : undefined;
}

/** The served or pinned version, if the installed one cannot be repaired: two repairs have failed, or its package cannot be found. */
function insteadOf({ from }: Repair, { answer, memory, now }: TargetFacts, pin: Pin | undefined): Movement | undefined {
  const wanted = wantedBy(answer, pin);
  if (wanted.kind !== "version") return undefined;
  const { repairs, backoff } = memory;
  const isWaiting = backoff !== undefined && backoff.served === from && isInForce(backoff, now);
  // After the wait, the repositories are searched for the installed version again.
  const isNowhere = repairs?.to === from && repairs.isNowhere && isWaiting;
  return isNowhere || isHopeless(repairs, from) ? exchange(from, wanted.version) : undefined;
}

/** Aims at the version before the last move, whatever the channel serves. */
function rollbackTarget({ installed, memory: { previous } }: TargetFacts): Target {
  if (previous === undefined) return { kind: "no-way-back", there: undefined };
  const to = previous.version;
  if (installed.kind === "absent") return { kind: "install", to };
  const from = installed.version;
  if (from === undefined) return { kind: "repair", from, to, why: halfWay };
  const target = exchange(from, to);
  if (target !== undefined) return target;
  return installed.condition === "half-way" ? { kind: "repair", from, to, why: halfWay } : { kind: "no-way-back", there: to };
}

const halfWay = "the package is only half installed";

/** Why an installed package needs a repair, in words. */
export function damageIn(installed: InstalledPackage, binary: Binary): string | undefined {
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

/** A repair that failed twice fails a third time. */
const mostRepairs = 2;

/** Whether the installed version was repaired in vain often enough. */
export function isHopeless(repairs: Repairs | undefined, installed: Version): repairs is Repairs {
  return repairs !== undefined && repairs.to === installed && repairs.attempts >= mostRepairs;
}
