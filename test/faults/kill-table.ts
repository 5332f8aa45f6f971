import type { StepName } from "../../src/record/state.ts";
import type { Family } from "../system/lab/base.ts";
import { killAndLook, type Kill } from "./kill.ts";
import { families, type Scenario } from "./scenario.ts";
import type { Victim } from "./strike.ts";

/** How many kills there are. */
export type Kills = {
  /** For each step and package manager. */
  readonly perStep: number;
};

export const forth: readonly StepName[] = ["refresh", "offer", "simulate", "keep", "install", "verify", "activate", "health"];
export const back: readonly StepName[] = ["back-install", "back-verify", "back-activate", "back-health"];
export const steps: readonly StepName[] = [...forth, ...back];

/** Where no package manager runs, or for so short a question that nobody hits it. */
const withoutManager: readonly StepName[] = ["verify", "activate", "health", "back-verify", "back-activate", "back-health"];

/** Kills in every step of a pass, at any instant of it, and in the passes that mend what a kill left. */
export function killScenarios({ perStep }: Kills): readonly Scenario[] {
  return scenariosOf({ perStep, aims: aimsAt });
}

/** The same where other packages are moved with the agent's: power cuts, and kills of the manager. Their row is the set's, whatever is killed. */
export function killScenariosOfSet(kills: Kills, { row, set }: Required<Pick<Scenario, "row" | "set">>): readonly Scenario[] {
  return scenariosOf({ ...kills, aims: aimsOfSetAt }).map((one) => ({ ...one, row, set }));
}

type Table = Kills & { readonly aims: (step: StepName, family: Family) => readonly Aim[] };

function scenariosOf({ perStep, aims: at }: Table): readonly Scenario[] {
  return families.flatMap((family) => [
    ...steps.flatMap((step) => times(perStep, (index) => inStep({ family, step, aim: nth(at(step, family), index) }, index))),
    ...times(perStep, (index) => atAnyInstant(family, index)),
    ...times(perStep, (index) => whileMending(family, index)),
  ]);
}

type Aim = Pick<Kill, "victim" | "network">;

const aims: readonly Aim[] = pairs(["updater", "actor", "manager", "host"]);
/** The package is changed by what the manager starts, or by the manager itself: each of them may be killed alone. */
const aimsAtChange: readonly Aim[] = pairs(["updater", "actor", "manager", "host", "manager alone", "helper"]);
/** rpm and dpkg are called by themselves there, and dnf does its work by itself: they start nothing but scripts. */
const aimsWithoutHelper: readonly Aim[] = pairs(["updater", "actor", "manager", "host", "manager alone"]);
const aimsWithoutManager: readonly Aim[] = pairs(["updater", "actor", "host"]);
/** Whether somebody acts at that instant is chance. */
const aimsAtAnyInstant: readonly Aim[] = pairs(["updater", "host"]);

/** Every other one finds no network. */
function pairs(victims: readonly Victim[]): readonly Aim[] {
  return victims.flatMap((victim) => [{ victim, network: "down" } as const, { victim, network: "up" } as const]);
}

type InStep = { readonly family: Family; readonly step: StepName; readonly aim: Aim };

function inStep({ family, step, aim }: InStep, index: number): Scenario {
  const isBack = back.includes(step);
  const row = isBack ? 4 : aim.victim === "host" ? 3 : 2;
  return scenario(
    { row, family, name: `kill the ${aim.victim} at ${step}, network ${aim.network} (${index + 1})` },
    {
      when: step,
      ...aim,
      version: isBack ? "bad" : "good",
      again: "nobody",
    },
  );
}

function aimsAt(step: StepName, family: Family): readonly Aim[] {
  if (step === "install") return family === "yum" ? aimsWithoutHelper : aimsAtChange;
  if (step === "back-install") return aimsWithoutHelper;
  return withoutManager.includes(step) ? aimsWithoutManager : aims;
}

const aimsOfSet: readonly Aim[] = pairs(["host", "manager"]);
const aimsOfSetWithoutManager: readonly Aim[] = pairs(["host", "updater"]);

function aimsOfSetAt(step: StepName): readonly Aim[] {
  return withoutManager.includes(step) ? aimsOfSetWithoutManager : aimsOfSet;
}

function atAnyInstant(family: Family, index: number): Scenario {
  const aim = nth(aimsAtAnyInstant, index);
  const version = nth(["good", "bad"] as const, Math.floor(index / aimsAtAnyInstant.length));
  const name = `kill the ${aim.victim} at any instant towards a ${version} version, network ${aim.network} (${index + 1})`;
  const row = aim.victim === "host" ? 3 : 2;
  return scenario({ row, family, name }, { when: "any instant", ...aim, version, again: "nobody" });
}

/** Where most is half-way: while the package is changed, forth or back. */
function whileMending(family: Family, index: number): Scenario {
  const first = nth(["host", "updater"] as const, index);
  const again = nth(["updater", "host", "manager"] as const, index);
  const network = nth(["down", "up"] as const, Math.floor(index / 2));
  const when = nth(["install", "back-install", "activate", "keep", "health"] as const, index);
  const name = `kill the ${first} at ${when}, and the ${again} in the pass that mends it, network ${network} (${index + 1})`;
  const version = back.includes(when) ? "bad" : "good";
  return scenario({ row: 4, family, name }, { when, victim: first, network, version, again });
}

function scenario(named: Pick<Scenario, "row" | "family" | "name">, kill: Kill): Scenario {
  return { ...named, play: (stage, random) => killAndLook(stage, kill, random) };
}

function times(count: number, make: (index: number) => Scenario): readonly Scenario[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function nth<Item>(items: readonly Item[], index: number): Item {
  return items[index % items.length]!;
}
