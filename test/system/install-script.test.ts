import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { buildAgent, installAgent } from "./lab/agent.ts";
import { rpmSuites, suites } from "./lab/base.ts";
import type { Host } from "./lab/host.ts";
import { installedPackage } from "./lab/package-tools.ts";
import type { ProgramResult } from "./lab/program.ts";
import { proxyName, startTinyproxy } from "./lab/proxy.ts";
import { serveRepository, type Repository } from "./lab/repository.ts";
import { scenario, type Stage } from "./lab/scenario.ts";
import { listen } from "./lab/server.ts";
import { updaterPackage } from "./updater.ts";

const script = join(import.meta.dirname, "../../packaging/install.sh");
const key = "/root/repository.key";
const wanted = ["15.4.6", "enterprise"];

/** One host of each family; where a family's programs are of several ages, the oldest and the newest too. */
const everywhere = [...suites, ...rpmSuites];
const families = ["bookworm", ...rpmSuites] as const;

describe.each(everywhere)("install.sh on %s", (suite) => {
  test(
    "takes a bare host, through a pipe, to an enrolled agent whose dry run answers; a second time it changes nothing",
    scenario({ suite }, async (stage) => {
      const { host, repository, versions } = stage;
      await offer(stage);
      await forget(host, repository);
      const words = [...wanted, "--repository", repository.url, "--key", key];
      const enrols = ["--endpoint", versions.httpsEndpoint, "--agent-user", "ordinary"];
      const first = await host.run(["sh", "-s", "--", ...words, ...enrols], { input: { file: script } });
      expect([first.status, lastLine(first)]).toEqual([0, "no upgrades available (15.4.6 == 15.4.6)"]);
      expect(first.stdout).toMatch(/^install\.sh: installing svc-ent\S+ svc-ent-updater with (apt|yum|zypper)$/m);
      const dryRun = await host.run(["svc-upgrade", "dry-run"], { user: "ordinary" });
      expect([dryRun.status, dryRun.stdout]).toEqual([0, "no upgrades available (15.4.6 == 15.4.6)\n"]);
      expect(await host.mustRun(["stat", "--format=%U %n", "/etc/svc-upgrade.d/schedule"])).toBe(
        "ordinary /etc/svc-upgrade.d/schedule\n",
      );

      const before = await standing(host);
      const second = await install(host, ...words, ...enrols);
      expect([second.status, second.stdout.split("\n").map((line) => line.replace(/ \d\S* is/, " VERSION is"))]).toEqual([
        0,
        [
          "install.sh: svc-ent VERSION is installed already",
          "install.sh: svc-ent-updater VERSION is installed already",
          expect.stringContaining("install.sh: svc version says: Svc Enterprise v15.4.6 "),
          `install.sh: svc-upgrade enroll ${enrols.join(" ")}`,
          expect.stringContaining("already enrolled: /etc/svc-upgrade/10-cluster.yaml"),
          expect.stringContaining("already enrolled: /etc/svc-upgrade.d/schedule"),
          expect.stringContaining("already enrolled: svc-upgrade.timer"),
          "no upgrades available (15.4.6 == 15.4.6)",
          "",
        ],
      ]);
      expect(await standing(host)).toEqual(before);
    }),
  );
});

describe.each(families)("install.sh on %s", (suite) => {
  test(
    "takes an older agent up out of the repositories that the host has, a dead one among them, and never goes back",
    scenario({ suite }, async (stage) => {
      const { host } = stage;
      await offer(stage);
      await installAgent(host, "15.4.5");
      await addDeadRepository(host, stage.repository);
      const missing = await install(host, "15.4.7", "enterprise");
      expect([missing.status, missing.stderr]).toEqual([
        69,
        expect.stringContaining("offers svc-ent 15.4.7: give the one that does"),
      ]);
      const up = await install(host, "15.4.6", "cloud");
      expect(await host.read("/etc/svc-upgrade/00-edition.yaml")).toContain("\nchannel: stable/cloud\n");
      expect([up.status, lastLine(up)]).toEqual([
        0,
        "install.sh: done; to let the cluster keep it up to date: svc-upgrade enroll --endpoint URL",
      ]);
      expect(up.stdout).toMatch(/^install\.sh: an agent that was running may run 15\.4\.5\S* until it is restarted/m);
      const back = await install(host, "15.4.5", "enterprise");
      expect([back.status, back.stderr]).toEqual([69, expect.stringContaining("is installed, which is newer than 15.4.5")]);
      expect(await installedPackage(host, "svc-ent")).toMatch(/^15\.4\.6(-1)?$/);
    }),
  );

  test(
    "installs nothing out of a repository that another key signed, and leaves no trace of it",
    scenario({ suite }, async (stage) => {
      const { host, repository } = stage;
      await offer(stage);
      await forget(host, repository);
      await repository.sign("unknown-key");
      const before = await sources(host);
      const refused = await install(host, ...wanted, "--repository", repository.url, "--key", key);
      expect([refused.status, refused.stderr]).toEqual([
        69,
        expect.stringMatching(/repository http\S+.* cannot be used: see what \w+ says/),
      ]);
      await expectNothingInstalled(host);
      expect(await sources(host)).toEqual(before);
    }),
  );

  test(
    "puts back what stood in the place of its files, where the repository that it is given is no use",
    scenario({ suite }, async (stage) => {
      const { host, repository } = stage;
      await offer(stage);
      await forget(host, repository);
      const words = ["--repository", repository.url, "--key", key];
      expect(await install(host, ...wanted, ...words)).toMatchObject({ status: 0 });
      await host.mustRun(["sh", "-c", `echo '# by hand' >>${repository.sourcesFile}; chmod 640 ${repository.sourcesFile}`]);
      const before = await sources(host);
      const other = await install(host, "15.4.7", "enterprise", ...words.with(1, `${repository.url}/nowhere`));
      expect([other.status, other.stderr]).toEqual([69, expect.stringContaining("cannot be used")]);
      expect(other.stdout).toContain(`install.sh: put ${repository.sourcesFile} back as it was\n`);
      expect(await sources(host)).toEqual(before);
      const absent = await install(host, "15.4.7", "enterprise", ...words);
      expect([absent.status, absent.stderr]).toEqual([69, expect.stringContaining("no repository of this host offers")]);
      expect(await sources(host)).toEqual(before);
    }),
  );
});

describe.each(rpmSuites)("install.sh on %s", (suite) => {
  test(
    "installs no package that another key signed, and takes no key but the given one",
    scenario({ suite }, async ({ host, repository }) => {
      await repository.publish(await updaterPackage("rpm"));
      await repository.publishSigned("unknown-key", await buildAgent(host, { version: "15.4.6" }));
      await forget(host, repository);
      const refused = await install(host, ...wanted, "--repository", repository.url, "--key", key);
      expect([refused.status, refused.stderr]).toEqual([69, expect.stringContaining(`${suite} could not install svc-ent`)]);
      await expectNothingInstalled(host);
      expect(refused.stdout).toContain("install.sh: rpm no longer trusts the key\n");
      expect((await host.run(["rpm", "-q", "gpg-pubkey"])).status).toBe(1);
    }),
  );

  test(
    "takes no key that a repository of the host names by itself",
    scenario({ suite }, async (stage) => {
      const { host, repository } = stage;
      await offer(stage);
      // An index that yum takes unsigned leaves the packages' key to the installation.
      const file = (await host.read(repository.sourcesFile)).replace(/^(repo_gpgcheck=1|gpgkey=.*)\n/gm, "");
      await forget(host, repository);
      await host.write(repository.sourcesFile, `${file}gpgkey=file://${key}\n`);
      const refused = await install(host, ...wanted);
      expect(refused.status).toBe(69);
      await expectNothingInstalled(host);
      expect((await host.run(["rpm", "-q", "gpg-pubkey"])).status).toBe(1);
    }),
  );
});

describe.each(families)("install.sh on %s", (suite) => {
  test(
    "reaches the repository through the proxy of its environment, in whichever spelling, and tells no password",
    scenario({ suite }, async (stage) => {
      const { host, repository } = stage;
      await forget(host, repository);
      const far = await serveRepository(host, "far", { address: "127.0.0.1" });
      await offer({ ...stage, repository: far });
      await forget(host, far, "far");
      const proxy = await startTinyproxy(host, { credentials: { user: "fleet", password: "s3cret-Pass" } });
      await host.write("/etc/hosts", `127.0.0.1 localhost agent-host\n${host.network.outerAddress} ${proxyName}\n`);
      const env = { HTTP_PROXY: `fleet:s3cret-Pass@${proxyName}:${proxy.port}` };
      const ended = await install(host, { env }, ...wanted, "--repository", far.url, "--key", key);
      expect(ended).toMatchObject({ status: 0 });
      expect(await proxy.requests()).toContainEqual(expect.stringContaining(`GET ${far.url}/`));
      expect(ended.stdout).toContain("take their proxy from /etc/default/svc, which names none");
      expect(ended.stdout + ended.stderr).not.toContain("s3cret");
    }),
  );

  test(
    "fetches the key by https with what the host has, and knows the edition's repository",
    scenario({ suite }, async (stage) => {
      const { host, repository, versions } = stage;
      await offer(stage);
      await forget(host, repository);
      const keyBytes = Buffer.from(await host.mustRun(["base64", key]), "base64");
      await symlink(".", join(host.directory, "repository-svc/tree/enterprise-15"));
      const { authority } = versions;
      const certificate = await authority.issue("keys", ["DNS:outer.test"]);
      const keys = await listen({ address: host.network.outerAddress, certificate }, (_request, response) =>
        response.end(keyBytes),
      );
      host.atStop(keys.goDown);
      // Debian's smallest root has no curl, but apt; elsewhere rpm itself brings curl.
      if (host.family === "apt") await host.mustRun(["mv", "/usr/bin/curl", "/usr/bin/curl.away"]);
      const env = {
        SVC_REPOSITORY: `${repository.url}/{edition}-{major}`,
        SVC_REPOSITORY_KEY: `https://outer.test:${keys.port}/key`,
      };
      const ended = await install(host, { env }, ...wanted);
      expect(ended).toMatchObject({ status: 0 });
      expect(await host.read(repository.sourcesFile)).toContain(`${repository.url}/enterprise-15`);
    }),
  );
});

describe.each(families)("install.sh on %s", (suite) => {
  test(
    "takes no key by plain http, wherever the key's URL leads on to",
    scenario({ suite, besides: suite === "bookworm" ? ["wget"] : [] }, async (stage) => {
      const { host, repository, versions } = stage;
      await offer(stage);
      await forget(host, repository);
      const keyBytes = Buffer.from(await host.mustRun(["base64", key]), "base64");
      const certificate = await versions.authority.issue("keys", ["DNS:outer.test"]);
      const place = { address: host.network.outerAddress };
      const plain = await listen(place, (_request, response) => response.end(keyBytes));
      const secure = await listen({ ...place, certificate }, (_request, response) =>
        response.writeHead(302, { location: `http://outer.test:${plain.port}/key` }).end(),
      );
      for (const { goDown } of [plain, secure]) host.atStop(goDown);
      const before = await sources(host);
      const words = [...wanted, "--repository", repository.url, "--key", `https://outer.test:${secure.port}/key`];
      const ways = host.family === "apt" ? ["curl", "apt-helper", "wget"] : ["curl"];
      for (const way of ways) {
        if (way === "apt-helper") await host.mustRun(["mv", "/usr/bin/curl", "/usr/bin/curl.away"]);
        if (way === "wget") await host.mustRun(["mv", "/usr/lib/apt/apt-helper", "/usr/lib/apt/apt-helper.away"]);
        const refused = await install(host, ...words);
        const wantedWords = way === "wget" ? "this host has no curl" : "the key could not be fetched";
        expect([way, refused.status, refused.stderr]).toEqual([way, 69, expect.stringContaining(wantedWords)]);
        expect(await sources(host)).toEqual(before);
      }
      await expectNothingInstalled(host);
    }),
  );
});

// zypper does not let itself be stopped while it waits for an answer.
describe.each(["bookworm", "yum"] as const)("install.sh on %s", (suite) => {
  test(
    "takes back what it made where it is stopped half-way",
    scenario({ suite }, async (stage) => {
      const { host, repository } = stage;
      await forget(host, repository);
      const before = await sources(host);
      await host.copyIn(script, "/root/install.sh");
      const silent = await listen({ address: host.network.outerAddress }, () => undefined);
      host.atStop(silent.goDown);
      const given = `--repository http://outer.test:${silent.port} --key ${key}`;
      const run = `timeout --signal=TERM 5 sh /root/install.sh ${wanted.join(" ")} ${given}`;
      expect((await host.run(["sh", "-c", run])).status).toBe(124);
      expect(await sources(host)).toEqual(before);
    }),
  );
});

test(
  "install.sh refuses a user who is not root and a systemd that is too old, each with one sentence",
  scenario({ suite: "bookworm" }, async ({ host }) => {
    await host.copyIn(script, "/usr/local/bin/install.sh", { mode: "0755" });
    const before = await standing(host);
    const ordinary = await host.run(["install.sh", ...wanted], { user: "ordinary" });
    expect(ordinary).toEqual({ status: 77, stdout: "", stderr: expect.stringMatching(/^install\.sh: .* needs root.*\n$/) });
    await host.write("/root/old/systemctl", "#!/bin/sh\necho 'systemd 246 (246.6)'\n", { mode: "0755" });
    const env = { PATH: "/root/old:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" };
    const old = await host.run(["install.sh", ...wanted], { env });
    expect(old).toEqual({ status: 78, stdout: "", stderr: expect.stringMatching(/^install\.sh: .* this host has 246\n$/) });
    expect(await standing(host)).toEqual(before);
  }),
);

/** The updater, and the agent in three versions of which one only begins like another. */
async function offer({ host, repository, versions }: Stage): Promise<void> {
  const agents = ["15.4.5", "15.4.6", "15.4.60"].map((version) => buildAgent(host, { version }));
  await repository.publish(...(await Promise.all(agents)), await updaterPackage(host.family === "apt" ? "deb" : "rpm"));
  versions.serve("default", { version: "v15.4.6" });
  await versions.authority.trustIn(host);
}

/** Makes the host a bare one again, with the repository's key in a file of its own. */
async function forget(host: Host, { sourcesFile }: Repository, name: string = "svc"): Promise<void> {
  await host.mustRun(["rm", sourcesFile]);
  await host.mustRun([
    "mv",
    host.family === "apt" ? `/usr/share/keyrings/${name}.gpg` : `/etc/pki/rpm-gpg/RPM-GPG-KEY-${name}`,
    key,
  ]);
  if (host.family !== "apt") await host.mustRun(["sh", "-c", "rpm --erase --allmatches $(rpm -q gpg-pubkey)"]);
}

/** Of somebody else: it must not stand in the way. */
async function addDeadRepository(host: Host, { sourcesFile, url }: Repository): Promise<void> {
  const dead = (await host.read(sourcesFile)).replace(url, "http://outer.test:9").replace(/^\[svc\]/, "[dead]");
  await host.write(sourcesFile.replace("svc.", "dead."), dead);
}

type WithEnvironment = { readonly env: Readonly<Record<string, string>> };

async function install(host: Host, ...all: readonly (string | WithEnvironment)[]): Promise<ProgramResult> {
  await host.copyIn(script, "/root/install.sh");
  const words = all.filter((one) => typeof one === "string");
  const [options = {}] = all.filter((one) => typeof one !== "string");
  return host.run(["sh", "/root/install.sh", ...words], options);
}

function lastLine({ stdout }: ProgramResult): string {
  return stdout.trimEnd().split("\n").at(-1) ?? "";
}

/** Everything that an installation changes: settings, units, keys, the package database. */
async function standing(host: Host): Promise<readonly string[]> {
  const places = ["/etc", "/usr", "/var/lib/dpkg", "/var/lib/rpm", "/var/lib/svc-upgrade", "/var/lib/svc-upgrade-decide"];
  // Readers of a database take locks.
  const taken = /\/(\.rpm\.lock|rpmdb\.sqlite-shm|lock|lock-frontend) /;
  const found = await host.run(["find", ...places, "-type", "f", "-printf", "%M %u %s %p %T@\\n"]);
  return found.stdout
    .split("\n")
    .filter((line) => !taken.test(line))
    .toSorted();
}

/** From where the host installs and whom it trusts, with rights and content. */
async function sources(host: Host): Promise<readonly string[]> {
  const places = "/etc/apt /etc/yum.repos.d /etc/zypp /etc/pki";
  const look = `find ${places} -printf '%M %u %p\\n' 2>/dev/null; find ${places} -type f -exec sha256sum {} + 2>/dev/null; rpm -q gpg-pubkey`;
  const { stdout } = await host.run(["sh", "-c", look]);
  return stdout.split("\n").toSorted();
}

async function expectNothingInstalled(host: Host): Promise<void> {
  expect((await host.run(["test", "-e", "/usr/bin/svc"])).status).toBe(1);
  expect((await host.run(["test", "-e", "/usr/bin/svc-upgrade"])).status).toBe(1);
}
