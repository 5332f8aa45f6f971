import type { InstanceKind } from "../identity/names.ts";
import type { StoreAbout } from "../storage/port.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { countInstances, type Counting } from "./status.ts";
import { remembering } from "./remembering.ts";

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
export function rememberFigures(context: Counting): () => Promise<Figures> {
  const figures = remembering(context.now, () => count(context));
  return figures.last;
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
