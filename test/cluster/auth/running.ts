import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LogFields, LogLevel } from "../../../src/machine/logging/log.ts";
import { authLimits, type AuthLimits } from "../../../src/cluster/auth/limits.ts";
import { startAuth, type RunningAuth } from "../../../src/cluster/auth/service.ts";
import type { AuthConfiguration } from "../../../src/cluster/services/services.ts";
import type { Ways } from "../../../src/cluster/auth/provider-fetch.ts";
import type { Store } from "../../../src/cluster/storage/port.ts";
import { askAt } from "./ask.ts";
import { removalsBeside, type Removals } from "../../../src/cluster/storage/removals.ts";
import { openSqliteStore } from "../../../src/cluster/storage/sqlite.ts";

export type LogLine = { readonly level: LogLevel; readonly sentence: string; readonly fields: LogFields };

export type Running = AsyncDisposable & {
  readonly auth: RunningAuth;
  readonly store: Store;
  readonly removals: Removals;
  readonly ask: ReturnType<typeof askAt>;
  readonly lines: LogLine[];
  readonly directory: string;
};

export const loopback = { host: "127.0.0.1", port: 0 };

export const configuration: AuthConfiguration = {
  clusterName: "example",
  listen: loopback,
  publicAddresses: [],
  diagnostics: loopback,
  storage: undefined,
  secondFactor: "otp",
  times: { certificateSeconds: 30 * 86_400, auditSeconds: 365 * 86_400, reportSeconds: 600, answerLifeSeconds: 900 },
};

/** 2026-01-05, a Monday, 12:00 UTC. */
export const monday = 1_767_614_400;

export type Changes = {
  readonly times?: Partial<AuthConfiguration["times"]>;
  readonly secondFactor?: AuthConfiguration["secondFactor"];
  readonly limits?: Partial<AuthLimits>;
  /** Else it is Monday, and stays so. */
  readonly now?: () => number;
  /** How identity providers are reached. */
  readonly ways?: Ways;
  /** What stands between auth and its store. */
  readonly storeFor?: (store: Store) => Store;
  readonly hostname?: string;
  readonly storage?: AuthConfiguration["storage"];
};

export async function startRunning({
  times,
  secondFactor = "otp",
  limits,
  now = () => monday,
  ways,
  storeFor,
  hostname = "auth1",
  storage,
}: Changes = {}): Promise<Running> {
  const directory = mkdtempSync(join(tmpdir(), "auth-"));
  const path = join(directory, "store", "cluster.db");
  const store = await openSqliteStore({ path, release: "15.4.5" });
  const removals = removalsBeside(path);
  const lines: LogLine[] = [];
  const auth = await startAuth({
    configuration: { ...configuration, storage, secondFactor, times: { ...configuration.times, ...times } },
    dataDirectory: directory,
    store: storeFor?.(store) ?? store,
    removals,
    log: (level, sentence, fields = {}) => void lines.push({ level, sentence, fields }),
    now,
    version: "15.4.5",
    hostname,
    ...(ways === undefined ? {} : { ways }),
    limits: { ...authLimits, drainMs: 2000, lastWordMs: 100, ...limits },
  });
  return {
    auth,
    store: storeFor?.(store) ?? store,
    removals,
    ask: askAt(auth.socketPath),
    lines,
    directory,
    [Symbol.asyncDispose]: async () => {
      await auth.stop();
      await store.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Another auth service on the same store, or the same one when it is started again. */
export function startBeside(
  { directory, store, removals }: Pick<Running, "directory" | "store" | "removals">,
  changes: Partial<Parameters<typeof startAuth>[0]> = {},
): Promise<RunningAuth> {
  return startAuth({
    configuration,
    dataDirectory: directory,
    store,
    removals,
    log: () => undefined,
    now: () => Math.floor(Date.now() / 1000),
    version: "15.4.5",
    hostname: "auth1",
    limits: { ...authLimits, drainMs: 2000, lastWordMs: 100 },
    ...changes,
  });
}
