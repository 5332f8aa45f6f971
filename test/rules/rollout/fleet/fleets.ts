import { daySeconds, hourSeconds } from "../../../../src/rules/window/seconds.ts";
import { drawFrom, wholeFrom } from "./draw.ts";
import { drawFleet, recipes, rolloutOf } from "./fleet.ts";
import { count, printTable } from "./picture.ts";
import { play, type Played } from "./play.ts";

export type Fleet = { readonly recipe: string; readonly hosts: number; readonly played: Played };

/** From this size on, a stage halts at its third failure, not at its first. */
const largeStage = 20;

/** Plays random fleets with a good version. False if a goal is missed. */
export function playFleets(fleets: number, seed: number): boolean {
  const all = Array.from({ length: fleets }, (_, index) => playFleet(seed + index));
  const isLarge = ({ played }: Fleet): boolean => played.status!.stages.every(({ hosts }) => hosts >= largeStage);
  const isSkipped = ({ played }: Fleet): boolean => played.skips > 0;
  const classes: readonly (readonly [string, readonly Fleet[]])[] = [
    ["each stage has 20 hosts or more", all.filter(isLarge)],
    ["a stage is smaller", all.filter((one) => !isLarge(one) && !isSkipped(one))],
    ["a stage waited to be skipped", all.filter((one) => !isLarge(one) && isSkipped(one))],
  ];
  const head = ["", "fleets", "ended", "halted", "hanging", "median, days", "longest, days"];
  const rows = classes.map(([title, some]) => {
    const ended = endedIn(some);
    const days = ended.map(({ played }) => played.seconds / daySeconds).toSorted((left, right) => left - right);
    const shown = (day: number | undefined): string => (day === undefined ? "" : day.toFixed(1));
    const ends = [ended.length, some.filter(isHalted).length, some.length - ended.length - some.filter(isHalted).length];
    return [title, count(some.length), ...ends.map(count), shown(days[Math.floor(days.length / 2)]), shown(days.at(-1))];
  });
  console.log(`${count(fleets)} random fleets with a good version; seeds from ${seed}\n\n${printTable(head, rows)}`);
  const hanging = all.filter(({ played }) => played.end === "hanging");
  for (const { recipe, hosts, played } of hanging.slice(0, 3)) console.log(`hangs: ${recipe}, ${hosts} hosts`, played.status);
  const [, large] = classes[0]!;
  const late = all.filter((one) => !isSkipped(one) && one.played.end === "done" && one.played.seconds > 8 * daySeconds).length;
  console.log(`\n${late} ended later than after 8 days without a stage that had to be skipped`);
  return hanging.length === 0 && late === 0 && large.filter(isHalted).length <= 0.01 * Math.max(1, large.length);
}

function endedIn(fleets: readonly Fleet[]): readonly Fleet[] {
  return fleets.filter(({ played }) => played.end === "done");
}

function isHalted({ played }: Fleet): boolean {
  return played.end === "halted";
}

/** Draws a fleet, its rollout and its window, and plays it. */
export function playFleet(seed: number): Fleet {
  const draw = drawFrom(seed);
  const hosts = wholeFrom(draw, 5, 1000);
  const began = 20_000 * daySeconds + wholeFrom(draw, 0, 23) * hourSeconds;
  const names = Object.keys(recipes) as (keyof typeof recipes)[];
  const recipe = names[wholeFrom(draw, 0, names.length - 1)]!;
  const kind = { off: 0.15, dead: 0.03, held: 0.06, failing: 0.005, bad: 0, breaks: "start" } as const;
  const canaries = wholeFrom(draw, 1, Math.ceil(hosts / 10));
  const fleet = drawFleet({ ...kind, hosts, canaries }, draw, began);
  const windowHour = wholeFrom(draw, 0, 23);
  return { recipe, hosts, played: play({ hosts: fleet, spec: rolloutOf(recipes[recipe]), began, windowHour }) };
}
