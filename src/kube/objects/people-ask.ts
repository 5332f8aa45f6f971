import { parseVersion, type Version } from "../../rules/version/version.ts";
import { parseInstant, printInstant } from "../../rules/window/instant.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { Decision } from "./object-decision.ts";
import type { OwnPods } from "./pods.ts";
import { imageIn, isObserved, type Ask, type SeenObject } from "./seen.ts";
import { newMove, nothingStands, type MoveInHand, type Standing } from "./move-memory.ts";

/** What people's annotations change. */
export type Heeded = { readonly standing: Standing; readonly asked: "now" | "timer" };

export type Asking = {
  readonly now: UnixSeconds;
  readonly object: SeenObject;
  readonly own: Pick<OwnPods, "revision">;
  readonly container: string;
};

/** An older request may come from a tool that restores files. Nobody wants it now. */
const lapsesSeconds = 3600;
/** Two clocks may differ by this much. A later instant would make all following requests old. */
const aheadSeconds = 600;

/** Acts on people's annotations. Each holds an instant, and counts once: if it is later than the last one. */
export function heed(standing: Standing, asking: Asking): Heeded {
  const asks = new Map(asksLeft(standing.heeded, asking.object, asking.now).map((left) => [left.ask, left]));
  const [runNow, retry, rollback] = [asks.get("runNow"), asks.get("retry"), asks.get("rollback")];
  const heeded = {
    runNow: runNow?.at ?? standing.heeded.runNow,
    retry: retry?.at ?? standing.heeded.retry,
    rollback: rollback?.at ?? standing.heeded.rollback,
  };
  const forgiven = retry === undefined ? standing : forgive(standing, retry.version);
  const back = rollback === undefined ? forgiven : rolledBack(forgiven, asking);
  const { heldUp } = standing;
  const isHeldUp = heldUp !== undefined && Math.abs(asking.now - heldUp) <= lapsesSeconds;
  const now = runNow?.at ?? (isHeldUp ? heldUp : undefined);
  return { standing: { ...back, heeded, heldUp: now }, asked: now === undefined ? "timer" : "now" };
}

/** Keeps a run-now for the next look only while a registry or a rollout delays the object. */
export function keepHeldUp(standing: Standing, { decision, isOfRegistry }: Held): Standing {
  const isHeldUp = decision.kind === "stay" && (decision.why === "rolling" || (isOfRegistry && decision.why !== "rejected"));
  return isHeldUp ? standing : { ...standing, heldUp: undefined };
}

type Held = { readonly decision: Decision; readonly isOfRegistry: boolean };

/** A request that nobody has acted on yet. */
export type AskLeft = { readonly ask: Ask; readonly at: UnixSeconds; readonly version: Version | undefined };

export function asksLeft(heeded: Standing["heeded"] | undefined, { asks }: SeenObject, now: UnixSeconds): readonly AskLeft[] {
  return (Object.keys(asks) as Ask[]).flatMap((ask) => {
    const read = readAsk(ask, asks[ask] ?? "");
    if (read === undefined) return [];
    const { at } = read;
    const isLater = at > (heeded?.[ask] ?? 0) && at <= now + aheadSeconds;
    return isLater && (ask === "retry" || now - at <= lapsesSeconds) ? [{ ask, ...read }] : [];
  });
}

/** Reads an instant. After it, retry may name the only version to forget. */
function readAsk(ask: Ask, text: string): Omit<AskLeft, "ask"> | undefined {
  const [, instant = "", named] = /^(\S+)(?: (\S+))?$/.exec(text) ?? [];
  const [at, version] = [parseInstant(instant), named === undefined ? undefined : parseVersion(named)];
  if (at === undefined || (named !== undefined && (ask !== "retry" || version === undefined))) return undefined;
  return { at, version };
}

export function printAsk(at: UnixSeconds, version?: Version): string {
  return version === undefined ? printInstant(at) : `${printInstant(at)} ${version}`;
}

/** Forgets failures. A current move goes on. */
function forgive(standing: Standing, version: Version | undefined): Standing {
  if (version !== undefined) {
    const others = <Row extends { readonly served: Version }>(rows: readonly Row[]): readonly Row[] =>
      rows.filter(({ served }) => served !== version);
    return { ...standing, rejected: others(standing.rejected), resets: others(standing.resets) };
  }
  const { move, heeded } = standing;
  return { ...nothingStands, move, heeded };
}

const cause = "svc.dev/rollback asks for it";

/** Rolls back the current move, or the last one if its image is still set. */
function rolledBack(standing: Standing, asking: Asking): Standing {
  const move = standing.move ?? moveBehind(standing, asking);
  if (move === undefined || move.step === "going-back" || move.step === "returning") return standing;
  const { now } = asking;
  const rejection = { served: move.to, artifact: move.image, digest: move.digest, at: now, why: cause, isAsked: true };
  return {
    ...standing,
    move: { ...move, step: "going-back", since: now, cause, trouble: undefined },
    rejected: [...standing.rejected, rejection],
  };
}

function moveBehind({ last }: Standing, asking: Asking): MoveInHand | undefined {
  const { object, container } = asking;
  const image = imageIn(object, container);
  return last?.outcome !== "proven" || last.image !== image ? undefined : moveOf(last, asking);
}

/** A move whose image is already set, as if it were under way. */
export function moveOf(way: Parameters<typeof newMove>[0], asking: Asking): MoveInHand {
  const { object, own } = asking;
  const revisions = isObserved(object) && own.revision !== "" ? [own.revision] : [];
  return { ...newMove(way, asking), step: "settling", revisions };
}
