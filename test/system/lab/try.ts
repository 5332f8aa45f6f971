/*
 * Boots one host to try things on, with a repository, a version server and an agent one version behind:
 *     node test/system/lab/try.ts [bullseye|bookworm|trixie|sid|yum|zypper] [ext4|xfs]
 * Ends with Ctrl-C, and takes everything away.
 */
import { buildAgent, installAgent } from "./agent.ts";
import { nextSuite, rpmSuites, suites } from "./base.ts";
import { fileSystems } from "./disk.ts";
import { bootHost, sweepAbandonedHosts } from "./host.ts";
import { missingForLab } from "./machine.ts";
import { serveRepository } from "./repository.ts";
import { serveVersions } from "./version-server.ts";

const missing = await missingForLab();
if (missing.length > 0) {
  console.error(missing.join("\n"));
  process.exit(69);
}
await sweepAbandonedHosts();
const [suite, disk] = process.argv.slice(2);
const fileSystem = fileSystems.find((known) => known === disk);
const host = await bootHost({
  suite: [...suites, nextSuite, ...rpmSuites].find((known) => known === suite) ?? "bookworm",
  ...(fileSystem === undefined ? {} : { fileSystem }),
});
const alive = setInterval(() => undefined, 3_600_000);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    clearInterval(alive);
    void host.stop();
  });
}

const repository = await serveRepository(host);
const versions = await serveVersions(host);
for (const version of ["15.4.5", "15.4.6"]) await repository.publish(await buildAgent(host, { version }));
await installAgent(host, "15.4.5");
versions.serve("default", { version: "v15.4.6" });
await versions.authority.trustIn(host);

const enter = `nsenter --target ${host.leader()} --all --wdns=/`;
console.log(`A ${host.suite} host is up, with svc-ent 15.4.5 running and 15.4.6 in the repository and on the channel "default".

  a shell         ${enter} bash -l
  as a unit       ${enter} systemd-run --wait --pipe --collect --quiet COMMAND
  files in        ${enter} tee /path/in/the/host <FILE >/dev/null
  repository      ${repository.url}
  endpoint        ${versions.httpsEndpoint} or ${versions.httpEndpoint}
  beside it       ${host.directory}, and servers of yours on ${host.network.outerAddress} (outer.test in the host)

Ctrl-C ends it and takes everything away.`);
