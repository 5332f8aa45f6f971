import { printInstant } from "../../window/instant.ts";
import type { Window } from "../../window/window.ts";
import { rangeOf, type ScheduleState, type ScheduleView } from "./view.ts";

type RangeJson = { readonly start: string; readonly stop: string };

export type ScheduleJson = {
  readonly schema: 1;
  readonly source: "file" | "window";
  /** The schedule file. */
  readonly file?: string;
  /** What sets the local window. */
  readonly origin?: string;
  readonly state: ScheduleState["kind"];
  /** Whether upgrades may begin: a window is open, and no blackout lasts. */
  readonly open: boolean;
  readonly until?: string;
  readonly since?: string;
  readonly line?: number;
  readonly text?: string;
  readonly why?: string;
  readonly windows: readonly RangeJson[];
  readonly blackouts: readonly (RangeJson & { readonly reason?: string })[];
  readonly at: string;
};

export function scheduleJson({ source, state, windows, blackouts, blackoutUntil, at }: ScheduleView): ScheduleJson {
  return {
    schema: 1,
    source: source.kind,
    ...(source.kind === "file" ? { file: source.path } : { origin: source.origin }),
    state: state.kind,
    open: state.kind === "open" && blackoutUntil === undefined,
    ...detailsOf(state),
    windows: windows.map(rangeJson),
    blackouts: blackouts.map((blackout) => ({
      ...rangeJson(rangeOf(blackout)),
      ...(blackout.reason === undefined ? {} : { reason: blackout.reason }),
    })),
    at: printInstant(at),
  };
}

function detailsOf(state: ScheduleState): Pick<ScheduleJson, "until" | "since" | "line" | "text" | "why"> {
  switch (state.kind) {
    case "open":
    case "closed":
      return { until: printInstant(state.until) };
    case "stale":
      return { since: printInstant(state.endedAt) };
    case "invalid":
      return state.line === 0 ? { why: state.why } : { line: state.line, text: state.text, why: state.why };
    case "missing":
    case "empty":
    case "never":
      return {};
  }
}

function rangeJson({ start, stop }: Window): RangeJson {
  return { start: printInstant(start), stop: printInstant(stop) };
}
