import type { AgentOptions } from "./agent.ts";
import type { AgentSet } from "./agent-set.ts";
import { downloadPackage, reversion } from "./debian-package.ts";
import type { Host } from "./host.ts";

/** Debian's own packages under versions of the lab's: an agent that nobody has made for these tests. */
type Told = Pick<AgentSet, "names" | "unit"> & { readonly epoch: string };

const illVersions = "/var/lib/ill-versions";
const healthCommand = "/usr/local/bin/is-well";
const longestInstallMs = 240_000;

/** Its dependencies are locked to its version. */
export const apache2: AgentSet = debianSet({
  names: ["apache2", "apache2-bin", "apache2-data", "apache2-utils"],
  unit: "apache2.service",
  epoch: "",
});

/** Its companions break every older one. */
export const mariadb: AgentSet = debianSet({
  names: ["mariadb-server", "mariadb-client", "mariadb-client-core", "mariadb-common", "mariadb-server-core"],
  unit: "mariadb.service",
  epoch: "1:",
});

function debianSet({ names, unit, epoch }: Told): AgentSet {
  const [name = ""] = names;
  const packageVersion = (_: Host, version: string): string => `${epoch}${version}`;
  return {
    names,
    unit,
    packageVersion,
    besides: [name],
    settings: `agent: {package: ${name}, unit: ${unit}}\nhealth: {settle: 2s, command: [${healthCommand}]}\n`,
    build: async (host, { version, start = "runs" }) => {
      const inPackage = packageVersion(host, version);
      if (start !== "runs") await fallIll(host, inPackage);
      const debs: string[] = [];
      for (const one of names) debs.push(await downloadPackage(host, one));
      return reversion(host, debs, inPackage);
    },
    install: async (host) => {
      const test = `! grep -qxF "$(dpkg-query -W -f '\${Version}' ${name})" ${illVersions}`;
      await host.write(illVersions, "");
      await host.write(healthCommand, `#!/bin/sh\n${test}\n`, { mode: "0755" });
      await host.mustRun(["apt-get", "update"]);
      // None is named: what came by itself stays marked so.
      await host.mustRun(["apt-get", "dist-upgrade", "-y"], {
        env: { DEBIAN_FRONTEND: "noninteractive" },
        timeoutMs: longestInstallMs,
      });
    },
  };
}

/** Its program is the same in every version: what is wrong with one is for the health command to know. */
async function fallIll(host: Host, version: NonNullable<AgentOptions["packageVersion"]>): Promise<void> {
  await host.mustRun(["sh", "-c", 'echo "$1" >>"$2"', "sh", version, illVersions]);
}
