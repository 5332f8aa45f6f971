import { buildAgent, installAgent } from "./lab/agent.ts";
import type { Host, HostOptions } from "./lab/host.ts";
import { bootPrepared } from "./lab/prepared.ts";
import { proxyName, type Credentials, type LabProxy, type StartProxy } from "./lab/proxy.ts";
import { serveRepository, type Repository } from "./lab/repository.ts";
import { inLab, withJournal, type LabTest } from "./lab/scenario.ts";
import { serveVersions, type VersionServer } from "./lab/version-server.ts";
import { buildWall, type Wall } from "./lab/wall.ts";
import { configure, schedule, withUpdater } from "./updater.ts";

export type ProxiedStage = {
  readonly host: Host;
  readonly proxy: LabProxy;
  readonly wall: Wall;
  /** By http and by https. */
  readonly repositories: readonly [Repository, Repository];
  readonly versions: VersionServer;
  readonly credentials: Credentials;
};

export type Behind = HostOptions & {
  readonly start: StartProxy;
  /** How the host speaks to its proxy. */
  readonly scheme: "http" | "https";
  readonly credentials: Credentials;
};

/** What no host reaches. */
const loopback = "127.0.0.1";

/**
 * An outdated agent on a host whose only way out is a proxy. The version server and both repositories listen where the proxy
 * alone reaches them, and their name is known to the proxy alone; their certificates are by a private authority.
 */
export function behindProxy(options: Behind, play: (stage: ProxiedStage) => Promise<void>): LabTest {
  return inLab(async () => {
    const host = await bootPrepared(withUpdater(options));
    try {
      await play(await stageBehindProxy(host, options));
    } catch (failure) {
      throw await withJournal(host, failure);
    } finally {
      await host.stop();
    }
  });
}

/** The same on a host that has the updater already. */
export async function stageBehindProxy(
  host: Host,
  { start, scheme, credentials }: Omit<Behind, keyof HostOptions>,
): Promise<ProxiedStage> {
  const versions = await serveVersions(host, { address: loopback });
  const { authority } = versions;
  await authority.trustIn(host);
  await installFirst(host);
  const certificate = await authority.issue("repository", ["DNS:outer.test"]);
  const repositories = [
    await serveRepository(host, "plain", { address: loopback }),
    await serveRepository(host, "secure", { address: loopback, certificate }),
  ] as const;
  const packages = [await buildAgent(host, { version: "15.4.5" }), await buildAgent(host, { version: "15.4.6" })];
  for (const repository of repositories) await repository.publish(...packages);
  versions.serve("default", { version: "v15.4.6" });

  const tls = scheme === "https" ? { certificate: await authority.issue(proxyName, [`DNS:${proxyName}`]) } : {};
  const proxy = await start(host, { credentials, ...tls });
  await host.write("/etc/hosts", `127.0.0.1 localhost agent-host\n${host.network.outerAddress} ${proxyName}\n`);
  const wall = await buildWall(host, proxy.port);

  await configure(host, `endpoint: ${versions.httpsEndpoint}\n`);
  await schedule(host, "open");
  return { host, proxy, wall, repositories, versions, credentials };
}

/** Before the wall stands, out of a repository that is gone afterwards. */
async function installFirst(host: Host): Promise<void> {
  const first = await serveRepository(host, "first");
  await first.publish(await buildAgent(host, { version: "15.4.5" }));
  await installAgent(host, "15.4.5");
  await host.mustRun(["rm", first.sourcesFile]);
  await first.server.goDown();
}

/** The agent's environment file, readable by root alone. */
export async function setVariables(host: Host, variables: Readonly<Record<string, string>>): Promise<void> {
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
  await host.write("/etc/default/svc", lines.join(""), { mode: "0600" });
}

export function proxyUrl(scheme: "http" | "https", { port }: LabProxy, { user, password }: Credentials): string {
  return `${scheme}://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${proxyName}:${port}`;
}
