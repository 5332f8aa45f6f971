import { parseInstant } from "../../rules/window/instant.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { OwnPods } from "./pods.ts";
import type { Ask, SeenObject } from "./seen.ts";
import type { MoveInHand, Standing } from "./standing.ts";

/** What of the annotations of people is acted on. */
export type Heeded = { readonly standing: Standing; readonly asked: "now" | "timer" };

export type Asking = {
  readonly now: UnixSeconds;
  readonly object: SeenObject;
  readonly own: OwnPods;
  readonly container: string;
};

/** What is older than this may be put back by a tool that keeps files, which nobody means. */
const lapsesSeconds = 3600;
/** Two clocks may be so far apart; what is further ahead would make all later ones old. */
const aheadSeconds = 600;

/** Each annotation holds an instant, and is acted on once: where it is later than the last one. */
export function heed(standing: Standing, asking: Asking): Heeded {
  const { now, object } = asking;
  const of = (ask: Ask): UnixSeconds | undefined => {
    const text = object.asks[ask];
    const at = text === undefined ? undefined : parseInstant(text);
    const isLater = at !== undefined && at > (standing.heeded[ask] ?? 0) && at <= now + aheadSeconds;
    return isLater && (ask === "retry" || now - at <= lapsesSeconds) ? at : undefined;
  };
  const [runNow, retry, rollback] = [of("runNow"), of("retry"), of("rollback")];
  const heeded = {
    runNow: runNow ?? standing.heeded.runNow,
    retry: retry ?? standing.heeded.retry,
    rollback: rollback ?? standing.heeded.rollback,
  };
  const forgiven = retry === undefined ? standing : forgive(standing);
  const back = rollback === undefined ? forgiven : rolledBack(forgiven, asking);
  return { standing: { ...back, heeded }, asked: runNow === undefined ? "timer" : "now" };
}

/** A move in hand goes on. */
function forgive(standing: Standing): Standing {
  return { ...standing, last: undefined, rejected: [], backoff: undefined, needsOperator: undefined, rescuedFor: undefined };
}

const cause = "svc.dev/rollback asks for it";

/** The move in hand, or the last one where its image is there still. */
function rolledBack(standing: Standing, asking: Asking): Standing {
  const move = standing.move ?? moveBehind(standing, asking);
  if (move === undefined || move.step === "going-back" || move.step === "returning") return standing;
  const { now } = asking;
  const rejection = { served: move.to, artifact: move.image, at: now, why: cause };
  return {
    ...standing,
    move: { ...move, step: "going-back", since: now, cause, trouble: undefined },
    rejected: [...standing.rejected, rejection],
  };
}

function moveBehind({ last }: Standing, { now, object, own, container }: Asking): MoveInHand | undefined {
  const image = object.containers.find(({ name }) => name === container)?.image;
  if (last?.outcome !== "proven" || last.image !== image) return undefined;
  const { from, to, imageBefore } = last;
  const isObserved = object.status.observedGeneration >= object.generation && own.revision !== "";
  return {
    step: "settling",
    why: "asked",
    from,
    to,
    imageBefore,
    image,
    wasWell: true,
    startedAt: now,
    since: now,
    generation: object.generation,
    tries: 0,
    revisions: isObserved ? [own.revision] : [],
    progress: { count: 0, at: now },
    cause: undefined,
    trouble: undefined,
    freeing: undefined,
  };
}
