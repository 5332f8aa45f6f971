import { printServed } from "../channel/headers.ts";
import { printInstant } from "../window/instant.ts";
import type { UnixSeconds } from "../window/window.ts";
import type { Spec } from "./spec.ts";
import { standingOf, type Halt, type Person, type StageStatus, type Status } from "./status.ts";
import type { Undoing } from "./undoing.ts";
import { activeIn, distancesOf, type Distance, type Tally } from "./tally.ts";

/** Tells in one sentence where a rollout stands, and how far it is from halting. */
export function tellRollout(spec: Spec, status: Status, tallies: readonly Tally[]): string {
  const standing = standingOf(status);
  switch (standing.kind) {
    case "undone":
      return `undone ${tellPerson(standing.by)}: hosts are told ${printServed(status.from)} again`;
    case "done":
      return `done: every host is told v${status.target}`;
    case "halted":
      return tellHalt(standing.halt);
    case "paused":
      return `paused ${tellPerson(standing.by)}: ${tellActive(spec, tallies)}`;
    case "moving":
      return tellActive(spec, tallies);
  }
}

/** The same for a channel whose rollout was removed. */
export function tellBound(channel: string, status: Status): string {
  const served = standingOf(status).kind === "done" ? `v${status.target}` : printServed(status.from);
  const what = served === "none" ? "no version" : served;
  return `its rollout was removed: hosts are told ${what}, until \`tctl rollout release ${channel}\` lets the proxies' own files decide`;
}

export function tellUndoing({ target, from }: Status, { back, stay, unsaid }: Undoing): string {
  const all = back + stay + unsaid;
  if (all === 0) return `no host has v${target}; hosts would be told ${printServed(from)} again`;
  const parts = [
    { hosts: back, fate: `${back === 1 ? "goes" : "go"} back to ${printServed(from)}` },
    { hosts: stay, fate: `${stay === 1 ? "stays" : "stay"} (downgrades refused, held or pinned)` },
    { hosts: unsaid, fate: `${unsaid === 1 ? "does" : "do"} not say whether downgrades are allowed` },
  ];
  const told = parts.filter(({ hosts }) => hosts > 0).map(({ hosts, fate }) => `${hosts} ${fate}`);
  return `${all} ${all === 1 ? "host has" : "hosts have"} v${target}: ${told.join(", ")}`;
}

function tellPerson({ who, at, why }: Person): string {
  return `by ${who} at ${printInstant(at)}${why === "" ? "" : ` (${why})`}`;
}

function tellHalt({ stage, kind, hosts, limit, at }: Halt): string {
  const what = `${hosts} ${hosts === 1 ? "host" : "hosts"} ${kind === "failed" ? "failed" : "fell silent"}`;
  return `halted in ${stage} at ${printInstant(at)}: ${what}, and it halts at ${limit}`;
}

function tellActive(spec: Spec, tallies: readonly Tally[]): string {
  return tallies
    .filter((tally) => tally === activeIn(tallies))
    .map((tally) => tellStage(spec, tally))
    .join();
}

function tellStage(spec: Spec, tally: Tally): string {
  const { name, why } = tally.status;
  switch (why) {
    case "turn":
      return `${name} has not begun`;
    case "empty":
      return `${name} selects no host, and waits to be skipped${tellMissing(tally.spec)}`;
    case "blocked":
      return `${name} has no host that can move (${tellBlocked(tally)}), and waits to be skipped`;
    case "moving":
      return `${name} is moving: ${tellCounts(spec, tally)}`;
    case "soaking":
      return `${name} soaks until ${printInstant(soaksUntil(tally))}: ${tellCounts(spec, tally)}`;
    case "soaked":
      return `${name} is done`;
    case "skipped":
      return `${name} was skipped`;
  }
}

/** Names the labels that no host has. People often forget the prefix of labels that a host's own file gives. */
function tellMissing({ select }: Tally["spec"]): string {
  if (select.kind !== "labels") return "";
  const labels = Object.entries(select.labels);
  const own = labels.flatMap(([label]) => (label.includes("/") ? [] : [`host/${label}`]));
  const hint = own.length === 0 ? "" : ` (labels of a host's own file are called ${own.join(" and ")})`;
  return `: no host of this channel has ${labels.map((pair) => pair.join("=")).join(" and ")}${hint}`;
}

function soaksUntil({ status, spec }: Tally): UnixSeconds {
  return status.since + spec.soakSeconds;
}

function tellCounts(spec: Spec, tally: Tally): string {
  const told = distancesOf(spec, tally).filter(({ kind, hosts }) => kind === "failed" || hosts > 0);
  return `${tally.proven} of ${tally.status.hosts} proven, ${told.map(tellDistance).join(" and ")} until it halts`;
}

function tellDistance({ kind, hosts, limit }: Distance): string {
  return kind === "failed" ? `${hosts} of ${limit} failures` : `${hosts} of ${limit} silent hosts`;
}

function tellBlocked({ failed, silent, blocked }: Tally): string {
  const none = [
    { why: "failed", hosts: failed },
    { why: "silent in a move", hosts: silent },
  ].filter(({ hosts }) => hosts > 0);
  return [...none, ...sortedReasons(blocked)].map(({ why, hosts }) => `${hosts} ${why}`).join(", ");
}

export type StageRow = Pick<StageStatus, "name" | "state" | "why" | "since" | "hosts"> &
  Pick<Tally, "proven" | "moving" | "failed" | "silent" | "waiting" | "inWindow"> & {
    /** The end of its soak. */
    readonly until: UnixSeconds | undefined;
    readonly blocked: readonly { readonly why: string; readonly hosts: number }[];
    readonly distances: readonly [failed: Distance, silent: Distance];
    readonly told: string;
  };

/** A row for each stage. A stage that has not begun shows the hosts that it has now. */
export function stageRows(spec: Spec, tallies: readonly Tally[]): readonly StageRow[] {
  return tallies.map((tally) => {
    const { name, state, why, since, hosts } = tally.status;
    const { proven, moving, failed, silent, waiting, inWindow } = tally;
    return {
      name,
      state,
      why,
      since,
      proven,
      moving,
      failed,
      silent,
      waiting,
      inWindow,
      hosts: state === "waiting" ? tally.members : hosts,
      until: state === "soaking" ? soaksUntil(tally) : undefined,
      blocked: sortedReasons(tally.blocked),
      distances: distancesOf(spec, tally),
      told: tellStage(spec, tally),
    };
  });
}

/** The most common reason first. */
function sortedReasons(blocked: Tally["blocked"]): StageRow["blocked"] {
  return [...blocked]
    .map(([why, hosts]) => ({ why, hosts }))
    .sort((left, right) => right.hosts - left.hosts || (left.why < right.why ? -1 : 1));
}
