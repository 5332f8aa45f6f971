import { answerer, type Begun } from "../../../src/updater/act/answer.ts";
import { longestRequestBytes } from "../../../src/updater/act/request.ts";
import { actThroughUnit, type ActingUnit } from "../../../src/updater/act/through-unit.ts";
import type { AgentRecord, KeptPackage } from "../../../src/updater/record/state.ts";
import { serveOne } from "../../../src/updater/socket/serve.ts";
import { packageVersion } from "../pass/given.ts";

export const kept: KeptPackage = {
  packageVersion: packageVersion("15.4.6-1"),
  file: "svc-ent_15.4.6-1.deb",
  sha256: "a".repeat(64),
  bytes: 7,
};

/** What the acting side does, for one test; the rest of it ends well. */
export type Deeds = {
  readonly acting?: Partial<Begun["acting"]>;
  readonly unit?: Partial<Begun["unit"]>;
  readonly notifier?: Partial<Begun["notifier"]>;
  readonly awaitTransaction?: Begun["awaitTransaction"];
};

export function begunWith({ acting, unit, notifier, awaitTransaction }: Deeds): Begun {
  const done = (): Promise<void> => Promise.resolve();
  return {
    acting: {
      refresh: done,
      simulate: done,
      bring: done,
      keep: () => Promise.resolve(kept),
      keepOnly: done,
      install: done,
      holdAgain: done,
      mend: done,
      settle: done,
      countUngated: () => "counted",
      offers: () => Promise.resolve([packageVersion("15.4.6-1")]),
      buildOf: () => Promise.resolve({ sha256: undefined, bytes: 7 }),
      ...acting,
    },
    unit: {
      condition: () => Promise.resolve("running"),
      look: () => Promise.resolve("running"),
      restarts: () => Promise.resolve(0),
      activate: () => Promise.resolve("svc.service was restarted and runs it"),
      proveHealth: done,
      lastLines: () => Promise.resolve([]),
      ...unit,
    },
    notifier: { start: () => Promise.resolve("started"), ends: () => Promise.resolve([]), ...notifier },
    isGoingDown: () => Promise.resolve(false),
    awaitTransaction: awaitTransaction ?? done,
  };
}

export const digest: string = "d".repeat(64);

export type Through = { readonly acting: ActingUnit; readonly served: Promise<string>; readonly stop: () => void };

/** Both sides, and a socket between them; one process of the acting side. */
export function through(path: string, deeds: Deeds, seen?: AgentRecord): Through {
  const stopping = new AbortController();
  const answer = answerer(
    async () => begunWith(deeds),
    () => undefined,
  );
  const served = serveOne({ listen: { path }, answer, longestRequestBytes, stopping: stopping.signal });
  const acting = actThroughUnit({
    path,
    begin: () => ({ kind: "begin", pass: "pass-1", settings: digest }),
    seen: () => seen,
    stopping: new AbortController().signal,
  });
  return { acting, served, stop: () => stopping.abort() };
}
