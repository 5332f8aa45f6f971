import { isInForce } from "../../rules/decide/backoff.ts";
import { isObjectCode } from "../../rules/fault/object-table.ts";
import { printInstant } from "../../rules/window/instant.ts";
import type { Version } from "../../rules/version/version.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { codeOf } from "./event-text.ts";
import type { Decision, Move } from "./object-decision.ts";
import type { SaidToStay } from "./object-gates.ts";
import type { Member } from "./member.ts";
import { isObserved } from "./seen.ts";

/** A move that the gates let through. */
export type Passed = {
  readonly to: Version;
  readonly why: Move["why"];
  readonly now: UnixSeconds;
  /** The object's name as others know it. */
  readonly self: string;
  /** Whether all of its own pods are ready. */
  readonly isWell: boolean;
};

/**
 * A version goes first to the first object that can move at all, and after its proof to at most a tenth of the objects at once. This also holds for a
 * critical version, but not if a person asks for this object. It follows from sights and records, so a restart changes nothing.
 */
export function queued(all: readonly Member[], { to, why, now, self, isWell }: Passed): SaidToStay | undefined {
  if (why === "asked") return undefined;
  const others = all.filter(({ reference }) => reference !== self);
  const unseen = others.filter(({ known }) => known === undefined);
  if (unseen.length > 0) return stay(`${listed(namesOf(unseen))} cannot be seen, and may be in the middle of a move`);
  const own = all.find(({ reference }) => reference === self);
  const moving = others.filter((one) => isMoving(one, to, own?.channel) && !(isWell && wasUnwell(one)));
  if (others.some((one) => hasProven(one, to))) {
    const together = Math.max(1, Math.floor((others.length + 1) / 10));
    return moving.length < together
      ? undefined
      : stay(`as many objects as may move together do${named(moving)} (${together} of ${others.length + 1})`);
  }
  if (moving.length > 0) return stay(`another object goes first: ${listed(namesOf(moving))} is in the middle of a move`);
  return waitedFor(all, { to, now, self }) ?? failingFirst(others, to, now);
}

type Turn = Pick<Passed, "to" | "self">;

/** The first earlier object that will move by itself. */
function waitedFor(all: readonly Member[], { now, ...turn }: Turn & Pick<Passed, "now">): SaidToStay | undefined {
  for (const { reference, decision } of ahead(all, turn)) {
    if (isBehind(decision)) {
      return {
        ...stay(`another object goes first: ${reference}, which has not heard of ${turn.to} yet`),
        until: now + heardSeconds,
      };
    }
    if (decision.kind !== "stay" || decision.until === undefined || decision.until <= now) continue;
    return { ...stay(`another object goes first: ${reference}, which stays: ${decision.told}`), until: decision.until };
  }
  return undefined;
}

/** Another object may have heard the channel's answer a minute ago. */
const heardSeconds = 60;

function isBehind(decision: Decision): boolean {
  if (decision.kind === "stop") return !isObjectCode(decision.code);
  return decision.why === "current" || decision.why === "unhealthy" || decision.why === "no-version";
}

/** The end of a sentence that names earlier objects which do not move until somebody acts. */
export function passedOver(all: readonly Member[], turn: Turn): string {
  if (all.some((one) => hasProven(one, turn.to))) return "";
  const names = ahead(all, turn)
    .filter(({ decision }) => !isBehind(decision) && !(decision.kind === "stay" && decision.until !== undefined))
    .map(({ reference, decision }) => `${reference} (${codeOf(decision)})`);
  return names.length === 0 ? "" : `; passed over: ${listed(names)}`;
}

type Ahead = { readonly reference: string; readonly decision: Decision };

/** Earlier objects that should have the version but do not have it yet. */
function ahead(all: readonly Member[], { to, self }: Turn): readonly Ahead[] {
  const index = all.findIndex(({ reference }) => reference === self);
  const channel = all[index]?.channel;
  return all.slice(0, Math.max(0, index)).flatMap(({ reference, channel: its, known }) => {
    if (known?.object === undefined || known.decision === undefined || known.standing.move !== undefined) return [];
    const { current, decision, next } = known;
    const isToHave = current !== to && (its === channel || next === to);
    return isToHave && codeOf(decision) !== "queued" ? [{ reference, decision }] : [];
  });
}

/** Stays if the version fails at another object: the objects of one updater mostly fail alike, for example because an image is missing. */
function failingFirst(others: readonly Member[], to: Version, now: UnixSeconds): SaidToStay | undefined {
  for (const { reference, known } of others) {
    const backoff = known?.object === undefined ? undefined : known.standing.backoff;
    if (backoff === undefined || backoff.served !== to || !isInForce(backoff, now)) continue;
    const { until, cause } = backoff;
    const told = `another object goes first: ${reference} failed, and tries again at ${printInstant(until)}: ${cause.message}`;
    return { ...stay(told), until };
  }
  return undefined;
}

function stay(told: string): SaidToStay {
  return { kind: "stay", why: "queued", told, lift: "go at once" };
}

/** Whether the object is moving. An object without pods can make nothing ill once its image is changed. */
function isMoving({ known, channel }: Member, to: Version, own: string | undefined): boolean {
  const move = known?.standing.move;
  if (move === undefined || !(channel === own || move.to === to)) return false;
  return move.step === "begun" || (known?.object?.replicas ?? 0) > 0;
}

/**
 * Whether the object was ill before its move, which may then take long without any version's fault. Well objects do not wait for it, and ill ones
 * move one by one.
 */
function wasUnwell({ known }: Member): boolean {
  return known?.standing.move?.wasWell === false;
}

/** Whether the version is proven at the object: by its own move, or by ready pods that all run it. Who set the image does not matter. */
function hasProven({ known }: Member, to: Version): boolean {
  if (known?.object === undefined || known.current !== to || known.standing.move !== undefined) return false;
  const { last } = known.standing;
  if (last?.outcome === "proven" && last.to === to) return true;
  const { replicas, status } = known.object;
  return isObserved(known.object) && replicas > 0 && status.updated >= replicas && status.available >= replicas;
}

/** Names the objects if they are few. With many, each that ends would change the text for all that wait. */
function named(moving: readonly Member[]): string {
  return moving.length > mostNamed ? "" : `: ${listed(namesOf(moving))}`;
}

const mostNamed = 3;

function namesOf(members: readonly Member[]): readonly string[] {
  return members.map(({ reference }) => reference);
}

function listed(names: readonly string[]): string {
  const more = names.length - mostNamed;
  return `${names.slice(0, mostNamed).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
