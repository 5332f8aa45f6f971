import type { UnixSeconds, Window } from "../../src/window/window.ts";

/** What the channel serves, from when on. Before that every host has what is served. */
export type Release = { readonly at: UnixSeconds; readonly urgency: "usual" | "critical" };

/** What a look costs others: questions to the version server, and whether the package is fetched. */
export type Look = { readonly requests: 1 | 2; readonly outcome: "stays" | "moves" };

/** Whether it is critical is asked only of a version that is not installed. */
const content: Look = { requests: 1, outcome: "stays" };
const waiting: Look = { requests: 2, outcome: "stays" };
const moving: Look = { requests: 2, outcome: "moves" };

/** Shorter than this a window's rest is left alone. */
const leastNeededSeconds = 600;

export type Surroundings = {
  readonly installed: "served" | "earlier";
  readonly urgency: Release["urgency"];
  readonly window: Window | undefined;
};

/** What one look of a healthy host does. The planner itself decides the same: a test compares the two. */
export function lookAt({ installed, urgency, window }: Surroundings, at: UnixSeconds): Look {
  if (installed === "served") return content;
  if (urgency === "critical") return moving;
  if (window === undefined) return waiting;
  return window.start <= at && window.stop - at >= leastNeededSeconds ? moving : waiting;
}
