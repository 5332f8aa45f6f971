import type { AgentOptions } from "../system/lab/agent.ts";
import { alone, type AgentSet } from "../system/lab/agent-set.ts";
import type { Family, Suite } from "../system/lab/base.ts";
import type { DiskOptions } from "../system/lab/disk.ts";
import { bootHost, type Host } from "../system/lab/host.ts";
import { serveRepository, type Repository } from "../system/lab/repository.ts";
import { serveVersions, type VersionServer } from "../system/lab/version-server.ts";
import { configure, installUpdater, quietTimer } from "../system/updater.ts";

export type StageOptions = DiskOptions & {
  readonly family: Family;
  /** What is moved there together with the agent: nothing unless said. */
  readonly set?: AgentSet;
};

/** A host whose agent is well and at the served version, with the updater, in an open window. Its timer does not fire: a scenario does. */
export type Stage = {
  readonly host: Host;
  readonly repository: Repository;
  readonly versions: VersionServer;
  /** The agent's package, and all that is moved with it. */
  readonly set: AgentSet;
  /** The version that the agent was brought to last, by a pass that went well. */
  readonly current: () => string;
  /** Builds and publishes the version after the last one, and says it; it is not served yet. */
  readonly publish: (options?: Omit<AgentOptions, "version">) => Promise<string>;
  /** Notes what a pass that went well told of itself. */
  readonly learn: (learned: Learned) => void;
  readonly learned: () => Learned;
};

/** How a pass went on this very host: what aims a kill. */
export type Learned = {
  readonly current: string;
  /** From its start to its end. */
  readonly passMs: number;
  readonly stepMs: ReadonlyMap<string, number>;
};

/** A settle time as short as the campaign's many passes want it; one scenario has the shipped one. */
export const briskSettings = "health: {settle: 2s}\n";

/** The hosts of the campaign, by what manages their packages. */
const suites: Readonly<Record<Family, Suite>> = { apt: "bookworm", yum: "yum", zypper: "zypper" };

/** It takes the new file over by itself, and its package leaves time to kill it. */
const usual = { reload: "exec", scripts: "unhurried" } as const;

const firstVersion = "15.4.0";

/** Publishes what makes every later version one of them, and installs the first. */
export async function raiseStage(options: StageOptions): Promise<Stage> {
  const { family, set = alone, diskMegabytes, fileSystem } = options;
  const disk = { ...(diskMegabytes === undefined ? {} : { diskMegabytes }), ...(fileSystem === undefined ? {} : { fileSystem }) };
  const { besides = [], settings } = set;
  const host = await bootHost({ suite: suites[family], besides, ...disk });
  try {
    const [repository, versions] = await Promise.all([serveRepository(host), serveVersions(host)]);
    await repository.publish(...(await set.build(host, { version: firstVersion, ...usual })));
    await set.install(host, firstVersion);
    versions.serve("default", { version: `v${firstVersion}` });
    await quietTimer(host);
    await installUpdater(host);
    await configure(host, `endpoint: ${versions.httpEndpoint}\nallow_plain_http: true\n`);
    await configure(host, briskSettings, "55-brisk");
    if (settings !== undefined) await configure(host, settings, "56-agent");
    await openWindow(host);
    return stageOf({ host, repository, versions, set });
  } catch (cause) {
    await host.stop();
    throw cause;
  }
}

/** As the agent exports it: open for a day from a minute ago. */
export async function openWindow(host: Host): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  await host.write("/etc/svc-upgrade.d/schedule", `${now - 60} ${now + 86_400}\n`);
}

/** As the agent exports it: some hours from now. */
export async function closeWindow(host: Host): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  await host.write("/etc/svc-upgrade.d/schedule", `${now + 40_000} ${now + 43_600}\n`);
}

type Raised = Pick<Stage, "host" | "repository" | "versions"> & { readonly set: AgentSet };

function stageOf({ host, repository, versions, set }: Raised): Stage {
  let patch = 0;
  let learned: Learned = { current: firstVersion, passMs: 4000, stepMs: new Map() };
  return {
    host,
    repository,
    versions,
    set,
    current: () => learned.current,
    publish: async (options = {}) => {
      patch += 1;
      const version = `15.4.${patch}`;
      await repository.publish(...(await set.build(host, { version, ...usual, ...options })));
      return version;
    },
    learn: (next) => void (learned = { ...next, stepMs: new Map([...learned.stepMs, ...next.stepMs]) }),
    learned: () => learned,
  };
}
