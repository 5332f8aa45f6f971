import type { StepName } from "../../src/updater/record/state.ts";
import type { Family } from "../system/lab/base.ts";
import { killAndLook, type Kill } from "./kill.ts";
import { families, type Scenario } from "./scenario.ts";
import type { Victim } from "./strike.ts";

/** How many kills there are. */
export type Kills = {
  /** For each step and package manager: that many of its aims, and again from the first where it has no more; or every one once. */
  readonly perStep: number | "each aim once";
};

export const forth: readonly StepName[] = ["refresh", "offer", "simulate", "keep", "install", "verify", "activate", "health"];
export const back: readonly StepName[] = ["back-install", "back-verify", "back-activate", "back-health"];
export const steps: readonly StepName[] = [...forth, ...back];

/** Where no package manager runs, or for so short a question that nobody hits it. */
const withoutManager: readonly StepName[] = ["verify", "activate", "health", "back-verify", "back-activate", "back-health"];

/** Kills in every step of a pass, at any instant of it, and in the passes that repair what a kill left. */
export function killScenarios({ perStep }: Kills): readonly Scenario[] {
  return scenariosOf({ perStep, aims: aimsAt });
}

/** The same where other packages are moved with the agent's: power cuts, and kills of the manager. Their row is the set's, whatever is killed. */
export function killScenariosOfSet(kills: Kills, { row, set }: Required<Pick<Scenario, "row" | "set">>): readonly Scenario[] {
  return scenariosOf({ ...kills, aims: aimsOfSetAt }).map((one) => ({ ...one, row, set }));
}

type Table = Kills & { readonly aims: (step: StepName, family: Family) => readonly Aim[] };

function scenariosOf({ perStep, aims: at }: Table): readonly Scenario[] {
  const drawn = <Of>(from: readonly Of[], make: (aim: Of, index: number) => Scenario): readonly Scenario[] =>
    times(perStep === "each aim once" ? from.length : perStep, (index) => make(nth(from, index), index));
  return families.flatMap((family) => [
    ...steps.flatMap((step) => drawn(at(step, family), (aim, index) => inStep({ family, step, aim }, index))),
    ...drawn(aimsAtAnyInstant, (aim, index) => atAnyInstant({ family, aim }, index)),
    ...drawn(aimsWhileMending, (aim, index) => whileMending({ family, aim }, index)),
  ]);
}

type Aim = Pick<Kill, "victim" | "network">;

const aims: readonly Aim[] = pairs(["updater", "actor", "manager", "host"]);
/** The package is changed by what the manager starts, or by the manager itself: each of them may be killed alone. */
const aimsAtChange: readonly Aim[] = pairs(["updater", "actor", "manager", "host", "manager alone", "helper"]);
/** rpm and dpkg are called by themselves there, and dnf does its work by itself: they start nothing but scripts. */
const aimsWithoutHelper: readonly Aim[] = pairs(["updater", "actor", "manager", "host", "manager alone"]);
const aimsWithoutManager: readonly Aim[] = pairs(["updater", "actor", "host"]);

type AimOfVersion = Aim & Pick<Kill, "version">;

/** Whether somebody acts at that instant is chance. */
const aimsAtAnyInstant: readonly AimOfVersion[] = (["good", "bad"] as const).flatMap((version) =>
  pairs(["updater", "host"]).map((aim) => ({ ...aim, version })),
);

type AimWhileMending = Aim & { readonly when: StepName; readonly again: Victim };

/** Where most is half-way, while the package is changed: each of the steps with each first victim, and the others in turn. */
const aimsWhileMending: readonly AimWhileMending[] = times(10, (index) => ({
  victim: nth(["host", "updater"] as const, index),
  again: nth(["updater", "host", "manager"] as const, index),
  network: nth(["down", "up"] as const, Math.floor(index / 2)),
  when: nth(["install", "back-install", "activate", "keep", "health"] as const, index),
}));

/** Every other one finds no network. */
function pairs(victims: readonly Victim[]): readonly Aim[] {
  return victims.flatMap((victim) => [{ victim, network: "down" } as const, { victim, network: "up" } as const]);
}

function inStep({ family, step, aim }: Aimed<Aim> & { readonly step: StepName }, index: number): Scenario {
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

type Aimed<Of> = { readonly family: Family; readonly aim: Of };

function atAnyInstant({ family, aim }: Aimed<AimOfVersion>, index: number): Scenario {
  const { victim, network, version } = aim;
  const name = `kill the ${victim} at any instant towards a ${version} version, network ${network} (${index + 1})`;
  const row = victim === "host" ? 3 : 2;
  return scenario({ row, family, name }, { when: "any instant", ...aim, again: "nobody" });
}

function whileMending({ family, aim }: Aimed<AimWhileMending>, index: number): Scenario {
  const { victim, when, again, network } = aim;
  const name = `kill the ${victim} at ${when}, and the ${again} in the pass that mends it, network ${network} (${index + 1})`;
  return scenario({ row: 4, family, name }, { ...aim, version: back.includes(when) ? "bad" : "good" });
}

function scenario(named: Pick<Scenario, "row" | "family" | "name">, kill: Kill): Scenario {
  return { ...named, play: (stage, random) => killAndLook(stage, kill, random) };
}

function times<Item>(count: number, make: (index: number) => Item): readonly Item[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function nth<Item>(items: readonly Item[], index: number): Item {
  return items[index % items.length]!;
}
