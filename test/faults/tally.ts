import { countPlays, neverPlayed, type Count, type Played } from "./ledger.ts";
import { playsToBelieve, titleOf } from "./play.ts";
import type { Scenario } from "./scenario.ts";

type Named = Pick<Scenario, "row" | "name" | "family">;
type Counted = { readonly scenario: Named; readonly count: Count };
type Standing = "survived" | "lost" | "played too rarely";

/** What a ledger comes to, for each commit in it; with the scenarios that it should have and has not. */
export function tellTally(played: readonly Played[], scenarios: readonly Named[]): string {
  const commits = [...new Set(played.map(({ commit }) => commit))];
  if (commits.length === 0) return "nothing was played yet";
  return commits.map((commit) => tellCommit(commit, played, scenarios)).join("\n\n");
}

function tellCommit(commit: string, played: readonly Played[], scenarios: readonly Named[]): string {
  const counts = countPlays(played, commit);
  const all = new Map<string, Named>();
  for (const named of [...scenarios, ...played.filter((one) => one.commit === commit)]) all.set(titleOf(named), named);
  const counted = [...all].map(([title, scenario]) => ({ scenario, count: counts.get(title) ?? neverPlayed }));
  const families = [...new Set(counted.map(({ scenario }) => scenario.family))];
  return [
    `at ${commit}:`,
    row(["", "scenarios", "plays", "survived", "lost", `fewer than ${playsToBelieve} plays`]),
    ...families.map((family) =>
      tellTotals(
        family,
        counted.filter(({ scenario }) => scenario.family === family),
      ),
    ),
    ...(families.length > 1 ? [tellTotals("all", counted)] : []),
    ...tellNames("lost:", counted, "lost"),
    ...tellNames(`played fewer than ${playsToBelieve} times:`, counted, "played too rarely"),
  ].join("\n");
}

/** Each scenario is in one of the three: what was lost once is lost, and nothing survives that was played too rarely. */
function standingOf({ plays, lostSeeds }: Count): Standing {
  if (lostSeeds.length > 0) return "lost";
  return plays < playsToBelieve ? "played too rarely" : "survived";
}

function tellTotals(title: string, counted: readonly Counted[]): string {
  const having = (standing: Standing): number => counted.filter(({ count }) => standingOf(count) === standing).length;
  const plays = counted.reduce((sum, { count }) => sum + count.plays, 0);
  return row([title, counted.length, plays, having("survived"), having("lost"), having("played too rarely")]);
}

function tellNames(heading: string, counted: readonly Counted[], standing: Standing): readonly string[] {
  const named = counted.filter(({ count }) => standingOf(count) === standing);
  return named.length === 0 ? [] : [heading, ...named.map(tellName)];
}

function tellName({ scenario, count: { plays, lostSeeds } }: Counted): string {
  const what =
    lostSeeds.length === 0 ? `${plays} plays` : `lost ${lostSeeds.length} of ${plays} plays, seeds ${lostSeeds.join(" ")}`;
  return `  ${titleOf(scenario)}: ${what}`;
}

function row([title, ...cells]: readonly (string | number)[]): string {
  return `${String(title).padEnd(8)}${cells.map((cell, index) => String(cell).padStart(index === 4 ? 22 : 11)).join("")}`;
}
