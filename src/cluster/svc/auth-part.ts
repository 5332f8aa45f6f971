import { hostname } from "node:os";
import { startAuth, type RunningAuth } from "../auth/service.ts";
import type { Ways } from "../auth/provider-fetch.ts";
import { build } from "../../machine/program/program-build.ts";
import type { Log } from "../../machine/logging/log.ts";
import type { AuthConfiguration } from "../services/services.ts";
import { epochBeside } from "../storage/epoch.ts";
import type { Store } from "../storage/port.ts";
import { removalsBeside } from "../storage/removals.ts";
import { openConfigured } from "../storage/open-store.ts";
import { openSqliteStore } from "../storage/sqlite.ts";
import { storePath } from "../storage/store-path.ts";

type AuthPlace = {
  readonly dataDirectory: string;
  readonly log: Log;
  readonly ways: Ways;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

/** Starts the auth service. A stop closes its store last. */
export async function startAuthPart(
  configuration: AuthConfiguration,
  { dataDirectory, log, ways, environment }: AuthPlace,
): Promise<RunningAuth> {
  const path = storePath(dataDirectory);
  const { storage } = configuration;
  const store =
    storage === undefined
      ? await openSqliteStore({ path, release: build.version })
      : await openConfigured(path, storage, { application: "svc", release: build.version, environment });
  try {
    if (storage === undefined) await tellOldStore(path, store, log);
    const auth = await startAuth({
      configuration,
      dataDirectory,
      store,
      removals: removalsBeside(path),
      log,
      now: () => Math.floor(Date.now() / 1000),
      version: build.version,
      hostname: hostname(),
      ways,
    });
    return {
      ...auth,
      stop: async () => {
        try {
          await auth.stop();
        } finally {
          await store.close();
        }
      },
    };
  } catch (thrown) {
    await store.close();
    throw thrown;
  }
}

/**
 * Warns if this store is older than the last restore: a restore into a database leaves the old file in place. An interrupted restore looks the same,
 * so auth starts.
 */
async function tellOldStore(path: string, store: Pick<Store, "get">, log: Log): Promise<void> {
  const epoch = (await store.get({ kind: "cluster", name: "cluster" }))?.body["epoch"];
  const restored = epochBeside(path);
  if (typeof epoch !== "number" || epoch >= restored) return;
  const words =
    "the store in this file is older than the last restore on this host: who was removed since is here again; put auth_service.storage back, or restore a backup";
  log("warning", words, { epoch, restored });
}
