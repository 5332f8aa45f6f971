import { isNothing } from "./remember-outcome.ts";
import type { PassRecord, State, ToldSoFar } from "./state.ts";

/** One thing to notify of. */
export type News =
  | { readonly kind: "outcome" | "recovered"; readonly pass: PassRecord }
  | { readonly kind: "needs-operator"; readonly need: Need }
  | { readonly kind: "contact-lost" | "contact-regained"; readonly since: number };

/** `key` distinguishes this need from others. */
type Need = { readonly key: string; readonly why: string };

/**
 * The news in the state, the oldest first, and the record of what was told. Both follow from the state alone, so if a pass is killed before it saves
 * the record, the next pass finds the same news.
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

/** Whether something is to be told, or noted as told. */
export function hasNews(state: State): boolean {
  return JSON.stringify(newsIn(state).told) !== JSON.stringify(state.told);
}

/** Called by the first pass that has somebody to tell. Past outcomes then count as told, but a lasting problem does not. */
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

/** A recovery that found the version before in place has moved nothing. */
function hasRecovered({ recovered }: PassRecord): boolean {
  return recovered !== undefined && recovered.ended !== "unchanged";
}

type NewsOfMoves = { readonly news: readonly News[]; readonly failed: string | undefined };

/** A repeated failure that changes nothing is told once. */
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

/** An attempt that failed before it changed anything. */
function attemptIn({ decision, outcome }: PassRecord): string | undefined {
  if (decision.kind !== "move" || outcome.kind !== "failed" || outcome.back !== undefined) return undefined;
  return `${decision.target.to} ${outcome.fault.code}`;
}

/** A pass without a decision says nothing about the need, so the last one stays. */
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

/** Whether the silence makes the unit fail. */
function saysLost({ outcome, unanswered }: PassRecord): boolean {
  return (outcome.kind === "stopped" && outcome.fault.code === "contact-lost") || unanswered?.code === "contact-lost";
}
