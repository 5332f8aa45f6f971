import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { packageName } from "../../packaging/about.ts";
import { excerpt } from "../documents.ts";
import { builtPackage, installBuilt } from "./built-package.ts";
import { downloadPackage } from "./lab/debian-package.ts";
import type { Host, RunOptions } from "./lab/host.ts";
import { holdManagerLock } from "./lab/manager-lock.ts";
import { mustRun, type ProgramResult } from "./lab/program.ts";
import { scenario, type Stage } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import { addedSince, listing } from "./left-behind.ts";
import { serverPackage } from "./server/on-host.ts";
import { installedVersion, withUpdater } from "./updater.ts";

const script = "/usr/share/doc/svc-ent-updater/examples/trial";
/** Debian's smallest daemon: no user of its own, no port, and nothing to configure. */
const name = "at";
const unit = "atd.service";
const besides = ["gpg", "gpg-agent"];

/** A host as somebody has it who wants to try: both programs installed, and Debian's packages to be had. */
async function newHost({ host, repository }: Stage): Promise<void> {
  await installBuilt(host, serverPackage);
  await repository.publish(await downloadPackage(host, name));
  await host.mustRun(["apt-get", "update"]);
}

function trial(host: Host, ...words: readonly string[]): Promise<ProgramResult> {
  return host.run([script, ...words], { timeoutMs: 120_000 });
}

/** What a set-up says to type, one line for each command. */
function typedAfter(said: string): readonly string[] {
  return said.split("\n").flatMap((line) => (line.startsWith("    ") ? [line.trim()] : []));
}

function type(host: Host, line: string): Promise<ProgramResult> {
  return host.run(["sh", "-c", line], { timeoutMs: 180_000 });
}

async function mainPid(host: Host): Promise<string> {
  return host.mustRun(["systemctl", "show", "--property=MainPID", "--value", unit]);
}

describe.each(["bookworm", "trixie"] as const)("a trial on %s", (suite) => {
  test(
    "takes a host without cluster and agent to its first upgrade by what it says, and is taken back whole",
    scenario(withUpdater({ suite, besides }), async (stage) => {
      const { host } = stage;
      await newHost(stage);
      const before = await listing(host);
      const ready = await trial(host, "set-up");
      expect([ready.status, ready.stderr]).toEqual([0, expect.any(String)]);
      const from = await installedVersion(host, name);
      expect(from).toMatch(/^3\.2\.5-.*\+trial$/);
      const process = await mainPid(host);

      const [enroll = "", window = "", dryRun = "", run = "", status = "", ...more] = typedAfter(ready.stdout);
      expect(more).toEqual([]);
      expect(await type(host, enroll)).toMatchObject({
        status: 0,
        stdout: expect.stringContaining("an upgrade is available (3.2.5 -> 3.2.6)"),
      });
      expect(await type(host, window)).toMatchObject({ status: 0, stdout: "", stderr: "" });
      const looked = await type(host, dryRun);
      expect(looked).toMatchObject({ status: 0, stdout: "an upgrade is available (3.2.5 -> 3.2.6)\n" });
      // Between :45 and the full hour it is the next hour's window, which nobody waits for here.
      const isClosed = looked.stderr.includes("outside the maintenance window");
      expect(await type(host, isClosed ? `${run} --now` : run)).toMatchObject({ status: 0 });
      expect((await type(host, status)).stdout).toContain("3.2.6");

      expect(await installedVersion(host, name)).toBe(from.replace("3.2.5", "3.2.6"));
      expect((await host.run(["systemctl", "is-active", unit])).stdout.trim()).toBe("active");
      expect(await mainPid(host)).not.toBe(process);

      const removed = await trial(host, "remove");
      expect([removed.status, removed.stderr]).toEqual([0, expect.any(String)]);
      await expectNothingLeft(host, before);
      expect(await trial(host, "remove")).toMatchObject({ status: 0, stdout: expect.stringContaining("nothing to take back") });
    }),
    300_000,
  );
});

test(
  "a trial is typed as the README has it, from the two packages on",
  scenario({ suite: "bookworm", besides }, async ({ host, repository }) => {
    await repository.publish(await downloadPackage(host, name));
    await host.mustRun(["mkdir", "/root/dist"]);
    for (const one of [packageName, serverPackage]) {
      const path = await builtPackage(one, "deb");
      await host.copyIn(path, `/root/dist/${basename(path)}`);
    }
    const said = await host.mustRun(["sh", "-euc", `cd /root\n${excerpt("trial")}`], { timeoutMs: 300_000 });
    expect(said).toMatch(/^an upgrade is available \(3\.2\.5 -> 3\.2\.6\)$/m);
    // Between :45 and the full hour it is the next hour's window, which nobody waits for here.
    if (said.includes("outside the maintenance window"))
      await host.mustRun(["svc-upgrade", "run", "--now"], { timeoutMs: 180_000 });
    expect(await installedVersion(host, name)).toMatch(/^3\.2\.6-.*\+trial$/);
    expect((await trial(host, "remove")).status).toBe(0);
  }),
  300_000,
);

/** What dpkg does not know is not installed either. */
async function packageState(host: Host, of: string): Promise<string> {
  return (await host.run(["dpkg-query", "-W", "-f", "${db:Status-Status}", of])).stdout || "not-installed";
}

/** Debian's package, but with a dependency that the host lacks. */
async function needing(host: Host, dependency: string): Promise<string> {
  const deb = await downloadPackage(host, name);
  const tree = join(host.directory, "needing");
  await mustRun(["dpkg-deb", "-R", deb, tree]);
  const control = join(tree, "DEBIAN/control");
  await writeFile(control, (await readFile(control, "utf8")).replace("Depends: ", `Depends: ${dependency}, `));
  const built = join(host.directory, "needing.deb");
  await mustRun(["dpkg-deb", "-Zgzip", "-b", tree, built]);
  return built;
}

describe("a set-up that does not come to its end", () => {
  test(
    "because the unit does not start says so, and is taken back with what came along",
    scenario(withUpdater({ suite: "bookworm", besides }), async ({ host, repository }) => {
      await installBuilt(host, serverPackage);
      // Of that version nobody provides it.
      await repository.publish(await needing(host, "lsb-base (>= 11.6)"), await downloadPackage(host, "lsb-base"));
      await host.mustRun(["apt-get", "update"]);
      await host.mustRun(["systemctl", "mask", unit]);
      const before = await listing(host);
      const failed = await trial(host, "set-up");
      expect(failed.status).toBe(69);
      expect(failed.stderr).toContain("trial: atd.service is not active after the installation");
      expect(failed.stderr).toContain(`trial: the set-up did not finish; to take back what it did: ${script} remove\n`);
      expect((await trial(host, "set-up")).stderr).toContain("a trial was set up here already, or begun");
      expect(await trial(host, "remove")).toMatchObject({
        status: 0,
        stdout: expect.stringContaining("trial: removed what came along with it: lsb-base\n"),
      });
      await expectNothingLeft(host, before);
      expect(await packageState(host, "lsb-base")).toBe("not-installed");
    }),
    120_000,
  );

  test(
    "because it is stopped while it waits for the package manager is taken back",
    scenario(withUpdater({ suite: "bookworm", besides }), async (stage) => {
      const { host } = stage;
      await newHost(stage);
      const lock = await holdManagerLock(host);
      const before = await listing(host);
      await host.mustRun(["systemd-run", "--quiet", "--collect", "--unit=setting-up.service", script, "set-up"]);
      await until("the set-up waits for the lock", 60_000, async () =>
        (await host.journal("setting-up.service")).includes("trial: installing at") ? true : undefined,
      );
      await host.mustRun(["systemctl", "stop", "setting-up.service"]);
      expect(await host.journal("setting-up.service")).toContain("trial: the set-up did not finish");
      await lock.release();
      expect(await trial(host, "remove")).toMatchObject({ status: 0, stderr: "" });
      await expectNothingLeft(host, before);
    }),
    120_000,
  );
});

type InTheWay = RunOptions & {
  readonly is: string;
  readonly said: string;
  readonly status: number;
  /** What root types to bring it about, and to take it away again. */
  readonly typed?: readonly [before: string, after: string];
};

const obstacles: readonly InTheWay[] = [
  { is: "another user than root", said: "needs root", status: 77, user: "ordinary" },
  { is: "no systemd", said: "not booted with systemd", status: 78, properties: ["TemporaryFileSystem=/run/systemd"] },
  {
    is: "another distribution",
    said: "this is not Debian",
    status: 78,
    typed: ["echo ID=fedora >/root/os-release", "rm /root/os-release"],
    properties: ["BindReadOnlyPaths=/root/os-release:/usr/lib/os-release"],
  },
  {
    is: "no svc-proxy",
    said: "apt-get install ./svc-proxy_*.deb",
    status: 69,
    properties: ["InaccessiblePaths=/usr/bin/svc-proxy"],
  },
  {
    is: "no tool for the key",
    said: "apt-get install gpg-agent",
    status: 69,
    properties: ["InaccessiblePaths=/usr/bin/gpg-agent"],
  },
  {
    is: "settings",
    said: "(/etc/svc-upgrade/20-local.yaml)",
    status: 69,
    typed: ["echo 'endpoint: https://proxy.example.com' >/etc/svc-upgrade/20-local.yaml", "rm /etc/svc-upgrade/20-local.yaml"],
  },
  {
    is: "a port that is taken",
    said: "another program listens on port 3081",
    status: 69,
    typed: ["systemd-run --unit=taken --socket-property=ListenStream=127.0.0.1:3081 cat", "systemctl stop taken.socket"],
  },
  {
    is: "no such package",
    said: "apt knows no package at",
    status: 69,
    typed: [
      "mv /var/lib/apt/lists /var/lib/apt/lists.away",
      "rm -r /var/lib/apt/lists; mv /var/lib/apt/lists.away /var/lib/apt/lists",
    ],
  },
  {
    is: "the package itself",
    said: "at is installed here already; to take another package",
    status: 69,
    typed: ["apt-get install -y --no-install-recommends at", "apt-get remove -y at"],
  },
  {
    is: "settings of the package",
    said: "at was removed here, and its settings were kept; to take another package",
    status: 69,
    typed: ["apt-get install -y --no-install-recommends at && apt-get remove -y at", "apt-get purge -y at"],
  },
];

test(
  "a host that is not for a trial is left as it is, and one sentence says why",
  scenario(withUpdater({ suite: "bookworm", besides }), async (stage) => {
    const { host } = stage;
    await newHost(stage);
    for (const { is, said, status, typed, ...options } of obstacles) {
      if (typed !== undefined) await host.mustRun(["sh", "-c", typed[0]]);
      const before = await listing(host);
      const refused = await host.run([script, "set-up"], options);
      expect([is, refused]).toMatchObject([is, { status, stdout: "", stderr: expect.stringContaining(said) }]);
      expect(refused.stderr.match(/^.*\n/gm)).toEqual([expect.stringMatching(/^trial: /)]);
      expect([is, ...(await addedSince(host, before))]).toEqual([is]);
      if (typed !== undefined) await host.mustRun(["sh", "-c", typed[1]]);
    }
    expect(await host.mustRun(["find", "/tmp", "-name", "tmp.*"])).toBe("");
  }),
  300_000,
);

/** But for what the updater's own passes have written down. */
async function expectNothingLeft(host: Host, before: readonly string[]): Promise<void> {
  const left = (await addedSince(host, before)).filter((path) => !/^\/(?:var\/lib|run)\/svc-upgrade/.test(path));
  expect(left).toEqual([]);
  expect(await packageState(host, name)).toBe("not-installed");
  expect(await host.mustRun(["systemctl", "list-units", "--all", "--no-legend", "svc-upgrade-trial*"])).toBe("");
  expect(await host.mustRun(["find", "/var/lib/apt/lists", "-name", "*trial*"])).toBe("");
}
