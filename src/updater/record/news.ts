import { isNothing } from "./remember-outcome.ts";
import type { PassRecord, State, ToldSoFar } from "./state.ts";

/** One thing that somebody is to be notified of. */
export type News =
  | { readonly kind: "outcome" | "recovered"; readonly pass: PassRecord }
  | { readonly kind: "needs-operator"; readonly need: Need }
  | { readonly kind: "contact-lost" | "contact-regained"; readonly since: number };

/** `key`: what tells it from another need. */
type Need = { readonly key: string; readonly why: string };

/**
 * What the state holds that was not told yet, oldest first, and what has been told once it is. From the state alone: a pass that is
 * killed before it has noted that it told finds the same news in the next one.
 */
export function newsIn(state: State): { readonly news: readonly News[]; readonly told: ToldSoFar } {
  const before = state.told ?? pastOf(state);
  const moves = newsOfMoves(state, before);
  const need = needIn(state, before);
  const contact = newsOfContact(state, before);
  return {
    news: [
      ...moves.news,
      ...(need === undefined || need.key === before.operator ? [] : [{ kind: "needs-operator", need } as const]),
      ...contact.news,
    ],
    told: {
      passes: state.passes.filter(isEventful).map(({ id }) => id),
      operator: need?.key,
      silent: contact.silent,
      failed: moves.failed,
    },
  };
}

/** Whether there is anything to tell, or to note about what was told. */
export function hasNews(state: State): boolean {
  return JSON.stringify(newsIn(state).told) !== JSON.stringify(state.told);
}

/** Noted with the first record of the first pass that has somebody to tell: what is past is past, and what goes on is told. */
export function beginTelling(state: State): State {
  return state.told === undefined ? { ...state, told: pastOf(state) } : state;
}

function pastOf({ passes }: State): ToldSoFar {
  return { passes: passes.filter(isEventful).map(({ id }) => id), operator: undefined, silent: undefined, failed: undefined };
}

function isEventful(pass: PassRecord): boolean {
  return hasOutcome(pass) || hasRecovered(pass);
}

function hasOutcome({ outcome }: PassRecord): boolean {
  switch (outcome.kind) {
    case "moved":
    case "undone":
      return true;
    case "failed":
      return !isNothing(outcome);
    case "stayed":
    case "stopped":
      return false;
  }
}

/** Where the version before was and is there, nothing has moved. */
function hasRecovered({ recovered }: PassRecord): boolean {
  return recovered !== undefined && recovered.ended !== "unchanged";
}

type NewsOfMoves = { readonly news: readonly News[]; readonly failed: string | undefined };

/** What fails again as it did before, and changes nothing, is told once. */
function newsOfMoves({ passes, backoff }: State, before: ToldSoFar): NewsOfMoves {
  const news: News[] = [];
  let { failed } = before;
  for (const pass of passes.toReversed()) {
    if (before.passes.includes(pass.id)) continue;
    if (hasRecovered(pass)) news.push({ kind: "recovered", pass });
    if (!hasOutcome(pass)) continue;
    const again = attemptIn(pass);
    if (again === undefined || again !== failed) news.push({ kind: "outcome", pass });
    failed = again;
  }
  return { news, failed: backoff === undefined ? undefined : failed };
}

/** One that failed before it had changed anything. */
function attemptIn({ decision, outcome }: PassRecord): string | undefined {
  if (decision.kind !== "move" || outcome.kind !== "failed" || outcome.back !== undefined) return undefined;
  return `${decision.target.to} ${outcome.fault.code}`;
}

/** A pass that came to no decision says nothing of it: what was told goes on. */
function needIn({ needsOperator, passes: [last], repair }: State, { operator }: ToldSoFar): Need | undefined {
  if (needsOperator !== undefined) return { key: `${needsOperator.at}`, why: needsOperator.why };
  if (last?.decision.kind === "stay" && last.decision.why === "needs-operator") {
    return { key: `repair ${repair?.to ?? ""}`, why: last.decision.told };
  }
  const isDecided = last !== undefined && last.decision.kind !== "stop";
  return isDecided || operator === undefined ? undefined : { key: operator, why: "" };
}

type NewsOfContact = { readonly news: readonly News[]; readonly silent: number | undefined };

function newsOfContact({ silentSince, passes: [last] }: State, { silent }: ToldSoFar): NewsOfContact {
  if (silent !== undefined) {
    return silentSince === undefined
      ? { news: [{ kind: "contact-regained", since: silent }], silent: undefined }
      : { news: [], silent };
  }
  if (last === undefined || silentSince === undefined || !saysLost(last)) return { news: [], silent: undefined };
  return { news: [{ kind: "contact-lost", since: silentSince }], silent: silentSince };
}

/** From the day on that the unit is red for it. */
function saysLost({ outcome, unanswered }: PassRecord): boolean {
  return (outcome.kind === "stopped" && outcome.fault.code === "contact-lost") || unanswered?.code === "contact-lost";
}
