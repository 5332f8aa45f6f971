import { isInForce } from "../../rules/decide/backoff.ts";
import { printInstant } from "../../rules/window/instant.ts";
import type { Version } from "../../rules/version/version.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { Move } from "./object-decision.ts";
import type { SaidToStay } from "./object-gates.ts";
import type { Member } from "./member.ts";

/** What the gates let through. */
export type Passed = {
  readonly to: Version;
  readonly why: Move["why"];
  readonly now: UnixSeconds;
  /** As the others call it. */
  readonly self: string;
  /** All of its own pods are ready. */
  readonly isWell: boolean;
};

/**
 * A version goes to one object first, and once it is proven there to at most a tenth of them together: a critical one, too, but not
 * where a person asks for this very object. All of it is derived from what is seen and recorded, so a restart changes nothing.
 */
export function queued(all: readonly Member[], { to, why, now, self, isWell }: Passed): SaidToStay | undefined {
  if (why === "asked") return undefined;
  const others = all.filter(({ reference }) => reference !== self);
  const unseen = others.filter(({ known }) => known === undefined);
  if (unseen.length > 0) return stay(`${listed(unseen)} cannot be seen, and may be in the middle of a move`);
  const own = all.find(({ reference }) => reference === self);
  const moving = others.filter((one) => isMoving(one, to, own?.channel) && !(isWell && wasUnwell(one)));
  if (others.some((one) => hasProven(one, to))) {
    const together = Math.max(1, Math.floor((others.length + 1) / 10));
    return moving.length < together
      ? undefined
      : stay(`as many objects as may move together do${named(moving)} (${together} of ${others.length + 1})`);
  }
  if (moving.length > 0) return stay(`another object goes first: ${listed(moving)} is in the middle of a move`);
  return failingFirst(others, to, now);
}

/** Objects of one updater mostly fail alike, for example by an image that is not there. */
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

/** Without pods there is nothing that a move could make ill, unless they come before the image is changed. */
function isMoving({ known, channel }: Member, to: Version, own: string | undefined): boolean {
  const move = known?.standing.move;
  if (move === undefined || !(channel === own || move.to === to)) return false;
  return move.step === "begun" || (known?.object?.replicas ?? 0) > 0;
}

/** It may stay in its move for as long as it is ill, which no version has done: well ones do not wait for it, and ill ones go one by one. */
function wasUnwell({ known }: Member): boolean {
  return known?.standing.move?.wasWell === false;
}

/** By its own move; or all its pods run it and are ready, whoever has set it. */
function hasProven({ known }: Member, to: Version): boolean {
  if (known?.object === undefined || known.current !== to || known.standing.move !== undefined) return false;
  const { last } = known.standing;
  if (last?.outcome === "proven" && last.to === to) return true;
  const { generation, replicas, status } = known.object;
  const isObserved = status.observedGeneration >= generation;
  return isObserved && replicas > 0 && status.updated >= replicas && status.ready >= replicas;
}

/** Of many none: each that ends would be news for all that wait. */
function named(moving: readonly Member[]): string {
  return moving.length > mostNamed ? "" : `: ${listed(moving)}`;
}

const mostNamed = 3;

function listed(others: readonly Member[]): string {
  const names = others.slice(0, mostNamed).map(({ reference }) => reference);
  const more = others.length - names.length;
  return `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
