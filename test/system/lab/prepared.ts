import { createHash } from "node:crypto";
import { access, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { baseRoot, cacheDirectory } from "./base.ts";
import { bootHost, type Host, type HostOptions } from "./host.ts";
import { oneAtATime } from "./one-at-a-time.ts";

/** What many hosts begin with: done once for each suite, on a booted host, and kept as a layer over the suite's base root. */
export type Preparation = {
  readonly name: string;
  /** Whatever the outcome depends on: another recipe is another layer. */
  readonly recipe: () => Promise<string>;
  readonly prepare: (host: Host) => Promise<void>;
};

export type PreparedOptions = HostOptions & { readonly prepared?: Preparation | undefined };

/** A run of all scenarios takes a fraction of it: what nobody has used for so long is of a build that is gone. */
const longestUnusedMs = 2 * 3_600_000;

/** What a host that was never on does not have: its identity, its journal, and when its timers fired. */
const ofTheFirstBoot = ["etc/machine-id", "var/log/journal", "var/lib/systemd/timers", "var/lib/systemd/random-seed"];

export async function bootPrepared({ prepared, ...options }: PreparedOptions): Promise<Host> {
  return bootHost(prepared === undefined ? options : { ...options, layer: await preparedLayer(options, prepared) });
}

/** Before a run: layers of builds that are gone. */
export async function sweepLayers(): Promise<void> {
  const cache = await cacheDirectory();
  for (const name of await readdir(cache)) {
    const { mtimeMs } = await stat(join(cache, name));
    if (!name.endsWith(".used") || Date.now() - mtimeMs < longestUnusedMs) continue;
    const layer = join(cache, name.slice(0, -".used".length));
    for (const path of [layer, `${layer}.lock`, `${layer}.used`]) await rm(path, { recursive: true, force: true });
  }
}

async function preparedLayer({ suite, besides }: HostOptions, { name, recipe, prepare }: Preparation): Promise<string> {
  const base = await baseRoot(suite, besides);
  const hash = createHash("sha256").update(`${basename(base)} ${await recipe()}`);
  const layer = join(await cacheDirectory(), `${suite}-${name}-${hash.digest("hex").slice(0, 12)}`);
  await writeFile(`${layer}.used`, "");
  if (await isThere(layer)) return layer;
  return oneAtATime(`${layer}.lock`, async () => {
    if (await isThere(layer)) return layer;
    const half = `${layer}.half`;
    await rm(half, { recursive: true, force: true });
    const host = await bootHost({ suite, ...(besides === undefined ? {} : { besides }) });
    try {
      await prepare(host);
      await host.powerOff();
      await host.keepDisk(half);
    } finally {
      await host.stop();
    }
    for (const path of ofTheFirstBoot) await rm(join(half, path), { recursive: true, force: true });
    await rename(half, layer);
    return layer;
  });
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
