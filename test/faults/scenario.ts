import type { Random } from "../fuzz/random.ts";
import type { Family } from "../system/lab/base.ts";
import type { Stage, StageOptions } from "./stage.ts";

export const families: readonly Family[] = ["apt", "yum", "zypper"];

/** One fault on one booted host. Scenarios that want the same disk for it share one, one after the other. */
export type Scenario = StageOptions & {
  readonly row: number;
  readonly name: string;
  /**
   * Stages the fault on a host whose agent is well, looks at what becomes of it, and repairs what an admin would have to repair:
   * the golden path is gone again afterwards. Throws when the host is lost; what it gives is a remark for the line in print.
   */
  readonly play: (stage: Stage, random: Random) => Promise<string | undefined | void>;
  /** For what rests on all that passes of this host remember. */
  readonly host?: "of its own";
};

/** A fault that stands in the table although nothing stages it, so that nobody believes it was. */
export type Unstaged = { readonly row: number; readonly name: string; readonly why: string };

/** The scenarios of one row of the catalogue. */
export type Row = { readonly scenarios: readonly Scenario[]; readonly unstaged: readonly Unstaged[] };

/** Thrown by a scenario whose moment never came: nothing was staged, and nothing is claimed. */
export class Missed extends Error {}

type Play = Scenario["play"];

export function onApt(row: number, name: string, play: Play): readonly Scenario[] {
  return [{ row, name, family: "apt", play }];
}

export function onRpm(row: number, name: string, play: Play): readonly Scenario[] {
  return (["yum", "zypper"] as const).map((family) => ({ row, name, family, play }));
}

export function inEachFamily(row: number, name: string, play: Play): readonly Scenario[] {
  return families.map((family) => ({ row, name, family, play }));
}
