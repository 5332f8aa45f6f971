import { asFault } from "../fault/explain.ts";
import { Fault } from "../fault/fault.ts";
import type { Change, PackageManager } from "../package/manager.ts";
import type { Binary, InstalledPackage } from "../plan/facts.ts";
import type { Movement } from "../plan/target.ts";
import type { State, StepName, StepTime } from "../record/state.ts";
import type { Settings } from "../settings/settings.ts";
import { compareVersions, type Version } from "../version/version.ts";
import type { PackageVersion } from "../version/wrapped.ts";
import { offerOf } from "./observe.ts";
import type { Actors, Observers } from "./ports.ts";

/** What a move works with. */
export type Move = {
  readonly movement: Movement;
  /** This very package rather than another one of the same version. */
  readonly exactly: PackageVersion | undefined;
  readonly settings: Settings;
  readonly installed: InstalledPackage;
  readonly manager: PackageManager;
  readonly ports: Observers & Actors;
};

export type Applied = { readonly steps: readonly StepTime[] } & (Moved | Unmoved);

type Moved = {
  readonly kind: "moved";
  readonly from: PackageVersion | undefined;
  readonly to: PackageVersion;
  readonly activation: string;
};

type Unmoved = {
  readonly kind: "failed";
  readonly step: StepName;
  readonly fault: Fault;
  readonly to: PackageVersion | undefined;
};

/** Goes through the steps of a move. Each is written down before it starts; none but the last two is begun once a stop was asked for. */
export async function apply(move: Move, state: State): Promise<Applied> {
  const { ports } = move;
  const steps = journalled(move, state);
  const name = move.settings.agent.package;
  const served = move.movement.to;
  try {
    await steps.begin("refresh", () => move.manager.refresh(name));
    const to = await steps.begin("offer", async () => chooseOffer(move, await move.manager.offers(name)));
    steps.settle(to);
    const change = changeTo(to, move);
    await steps.begin("simulate", () => move.manager.simulate(change));
    const activate = await ports.watchUnit();
    await steps.begin("install", () => move.manager.install(change));
    await steps.finish("verify", () => verify(change, served, move));
    const activation = await steps.finish("activate", activate);
    return { kind: "moved", from: packageVersionOf(move.installed), to, activation, steps: steps.done() };
  } catch (thrown) {
    const fault = asFault(thrown);
    if (fault.code === "bug")
      ports.log("debug", "the bug's stack", { stack: String(fault.cause instanceof Error ? fault.cause.stack : "") });
    return { kind: "failed", step: steps.inHand(), fault, to: steps.to(), steps: steps.done() };
  }
}

type Journal = {
  /** Not begun once a stop was asked for. */
  readonly begin: <T>(step: StepName, work: () => Promise<T>) => Promise<T>;
  /** Belongs to a transaction that has happened: done in any case. */
  readonly finish: <T>(step: StepName, work: () => Promise<T>) => Promise<T>;
  readonly settle: (to: PackageVersion) => void;
  readonly inHand: () => StepName;
  readonly to: () => PackageVersion | undefined;
  /** The step that failed is the last of them. */
  readonly done: () => readonly StepTime[];
};

function journalled(move: Move, state: State): Journal {
  const { ports } = move;
  let inHand: StepName = "refresh";
  let to: PackageVersion | undefined;
  const done: StepTime[] = [];
  async function finish<T>(step: StepName, work: () => Promise<T>): Promise<T> {
    inHand = step;
    const { now: startedAt, sinceBootSeconds } = ports.readClock();
    const from = packageVersionOf(move.installed);
    const inHandNow = { pass: ports.passId, step, startedAt, served: move.movement.to, from, to, done: [...done] };
    ports.saveState({ ...state, step: inHandNow });
    ports.showSteps(inHandNow.done, step);
    try {
      return await work();
    } finally {
      const ms = Math.max(0, Math.round((ports.readClock().sinceBootSeconds - sinceBootSeconds) * 1000));
      done.push({ step, ms });
      ports.showSteps([...done], undefined);
      ports.log("debug", `${step} ended`, { ms, package: to });
    }
  }
  return {
    async begin(step, work) {
      if (ports.stopping.aborted) throw stopped(step);
      return finish(step, work);
    },
    finish,
    settle(settled) {
      to = settled;
    },
    inHand: () => inHand,
    to: () => to,
    done: () => done,
  };
}

/** The very package where one is asked for; else the first offer in the manager's own order that wraps the version. */
function chooseOffer({ movement, exactly, settings }: Move, offers: readonly PackageVersion[]): PackageVersion {
  const chosen = exactly !== undefined && offers.includes(exactly) ? exactly : offerOf(offers, movement.to);
  if (chosen !== undefined) return chosen;
  const some = offers.length === 0 ? "nothing" : offers.slice(0, 5).join(", ");
  throw new Fault("not-offered", {
    message: `no repository of this host offers ${settings.agent.package} ${movement.to}; they offer ${some}`,
    hint: "see that the repository with the agent's package is enabled and holds that version",
  });
}

function changeTo(to: PackageVersion, { movement, settings, installed }: Move): Change {
  const isHeld = installed.kind === "present" && installed.isHeld;
  return {
    name: settings.agent.package,
    to,
    direction: directionOf(movement),
    hold: isHeld && settings.holds === "override" ? "lifted" : "none",
  };
}

function directionOf(movement: Movement): Change["direction"] {
  switch (movement.kind) {
    case "install":
    case "upgrade":
      return "up";
    case "downgrade":
      return "down";
    case "repair": {
      if (movement.from === undefined) return "same";
      const order = compareVersions(movement.from, movement.to);
      if (order === 0) return "same";
      return order < 0 ? "up" : "down";
    }
  }
}

/** An exit status is a hint: only the package database and the binary themselves are believed. */
async function verify(change: Change, served: Version, move: Move): Promise<void> {
  const [installed, binary] = await Promise.all([move.manager.inspect(change.name), move.ports.askBinary()]);
  const hint = "look at what the package manager said: journalctl -u svc-upgrade";
  if (installed.kind === "absent") {
    throw new Fault("verify-failed", { message: `after the installation ${change.name} is not installed`, hint });
  }
  if (installed.packageVersion !== change.to || installed.condition !== "whole") {
    const found = installed.condition === "whole" ? installed.packageVersion : `${installed.packageVersion}, only half installed`;
    throw new Fault("verify-failed", {
      message: `after the installation ${change.name} is at ${found}, not at ${change.to}`,
      hint,
    });
  }
  if (binary.kind === "not-asked") return;
  if (binary.kind === "answers" && compareVersions(binary.version, served) === 0) return;
  throw new Fault("verify-failed", { message: `${change.name} is at ${change.to}, but its binary ${describe(binary)}`, hint });
}

function describe(binary: Exclude<Binary, { kind: "not-asked" }>): string {
  switch (binary.kind) {
    case "answers":
      return `says it is ${binary.version}`;
    case "missing":
      return "is missing";
    case "broken":
      return `does not run: ${binary.why}`;
  }
}

function packageVersionOf(installed: InstalledPackage): PackageVersion | undefined {
  return installed.kind === "present" ? installed.packageVersion : undefined;
}

function stopped(step: StepName): Fault {
  return new Fault("stopping", {
    message: `the pass was asked to stop before the step ${step}`,
    hint: "nothing to do: the next pass goes on from here",
  });
}
