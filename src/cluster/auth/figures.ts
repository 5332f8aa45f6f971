import type { InstanceKind } from "../identity/names.ts";
import type { StoreAbout } from "../storage/port.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { countInstances, type Counting } from "./status.ts";

/** Metrics from the store. */
export type Figures = {
  readonly about: StoreAbout;
  readonly instances: ReadonlyMap<InstanceKind, number>;
  readonly tokens: number;
  readonly sessions: number;
  /** The number of the newest event. */
  readonly events: number;
  readonly lastBackup: UnixSeconds | undefined;
};

/** Each scrape of a large cluster would count it again. */
const rememberSeconds = 30;

export function rememberFigures(context: Counting): () => Promise<Figures> {
  let last: { readonly at: UnixSeconds; readonly figures: Promise<Figures> } | undefined;
  return () => {
    const at = context.now();
    if (last !== undefined && Math.abs(at - last.at) < rememberSeconds) return last.figures;
    const counted = { at, figures: count(context) };
    last = counted;
    counted.figures.catch(() => {
      if (last === counted) last = undefined;
    });
    return counted.figures;
  };
}

async function count(context: Counting): Promise<Figures> {
  const { store } = context;
  const [about, { instances }, tokens, sessions, [newest], [backup]] = await Promise.all([
    store.about(),
    countInstances(context),
    store.count("token"),
    store.count("session"),
    store.events({ most: 1 }),
    store.events({ event: "cluster.backup", most: 1 }),
  ]);
  return { about, instances, tokens, sessions, events: newest?.number ?? 0, lastBackup: backup?.at };
}
