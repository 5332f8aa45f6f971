import { describe, expect, test } from "vitest";
import { buildAgent } from "./lab/agent.ts";
import { suites } from "./lab/base.ts";
import type { Host } from "./lab/host.ts";
import { scenario, type Stage } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import { exposureOf } from "./sandbox/exposure.ts";
import { installProbe, probeFreely, probeUnit, type Findings, type Probed } from "./sandbox/probe.ts";
import { outdatedHost, schedule, stopTimer, tick, withUpdater } from "./updater.ts";

const deciding = "svc-upgrade.service";
const asking = "svc-upgrade-ask.service";
const acting = "svc-upgrade-act.service";
const transaction = "svc-upgrade-transaction.service";

/** What no sandboxed unit may do, by the probe's names for it. */
const forbidden: readonly string[] = [
  "load-module load-module-file unload-module kexec bpf perf mount unmount pivot-root chroot",
  "new-user-namespace new-mount-namespace new-network-namespace join-namespace swap reboot set-clock set-hostname kernel-log",
  "make-ring enter-ring register-ring",
  "open-by-handle personality realtime trace read-memory signal-another-user become-nobody give-away set-uid-bit make-device",
].flatMap((names) => names.split(" "));

/** Files of the kernel that keep nothing of what is written to them. */
const keepsNothing =
  /^\/(?:dev\/(?:null|zero|full|random|urandom|pts\/ptmx)|(?:proc\/pressure|sys\/fs\/cgroup\/.*\.service)\/[\w.]+)$/;

/** Root's files that hold secrets, or may. */
const secrets = [
  "/etc/shadow",
  "/etc/default/svc",
  "/etc/svc.yaml",
  "/etc/svc-upgrade/60-secret.yaml",
  "/var/lib/svc-upgrade-decide/lock",
];

/** A host after a pass, with a stranger's process on it, a listener on its loopback, secrets, and the probe. */
async function watchedHost(stage: Stage): Promise<Omit<Probed, "unit">> {
  const { host, versions } = stage;
  await outdatedHost(stage);
  await schedule(host, "closed");
  await stopTimer(host);
  expect(await tick(host)).toBe(0);
  for (const path of secrets.slice(1, 4)) await host.write(path, "# secret\n", { mode: "0600" });
  await host.write("/tmp/witness", "");
  await host.write("/etc/systemd/system/witness.service", "[Service]\nExecStart=touch /root/witness\nType=oneshot\n");
  const listen = 'use IO::Socket::INET; my $l = IO::Socket::INET->new(LocalAddr => "127.0.0.1:7099", Listen => 9) or die; sleep';
  await host.write("/root/listen.pl", `${listen};\n`);
  await host.mustRun(["systemd-run", "--unit=listener", "perl", "/root/listen.pl"]);
  await host.mustRun(["systemd-run", "--unit=stranger", "--uid=ordinary", "sleep", "1000"]);
  await installProbe(host);
  const pids = [await pidOf(host, "stranger.service"), await pidOf(host, "svc.service")] as const;
  const channel = { address: host.network.outerAddress, port: versions.http.port };
  return { pids, channel, loopbackPort: 7099 };
}

async function pidOf(host: Host, unit: string): Promise<string> {
  return until(`${unit} runs`, 10_000, async () => {
    const pid = (await host.mustRun(["systemctl", "show", "--property=MainPID", "--value", unit])).trim();
    return pid === "0" ? undefined : pid;
  });
}

function of(findings: Findings, key: string): readonly string[] {
  return findings.get(key) ?? [];
}

function writable(findings: Findings): readonly string[] {
  return of(findings, "may-write").filter((path) => !keepsNothing.test(path));
}

function expectForbidden(findings: Findings): void {
  expect(forbidden.map((name) => [name, ...of(findings, name)])).toEqual(forbidden.map((name) => [name, "EPERM"]));
  expect(findings.get("NoNewPrivs")).toEqual(["1"]);
  expect(findings.get("Seccomp")).toEqual(["2"]);
  for (const key of ["see-tmp-of-others", "see-home-of-root"]) expect(of(findings, key)).not.toContain("allowed");
}

const readSearch = (1n << 2n).toString(16).padStart(16, "0");

function expectNoNetwork(found: Findings): void {
  const families = ["socket-inet", "socket-inet6", "socket-netlink", "socket-packet"];
  for (const key of [...families, "connect-channel", "connect-loopback"]) expect(found.get(key)).toEqual(["EAFNOSUPPORT"]);
  expect(found.get("interface")).toEqual(["lo"]);
}

/** Where the first wall is taken down: there is no way out of its network, and its loopback is its own. */
async function expectSecondWall(host: Host, probed: Probed): Promise<void> {
  const { settings = [] } = probed;
  const open = await probeUnit(host, { ...probed, settings: [...settings, "RestrictAddressFamilies=AF_INET"] });
  expect(open.get("socket-inet")).toEqual(["allowed"]);
  expect(open.get("connect-channel")).not.toEqual(["allowed"]);
  expect(open.get("connect-loopback")).not.toEqual(["allowed"]);
}

describe.each(suites)("on %s", (suite) => {
  test(
    "the deciding unit reaches no network, writes nothing but its state, gives no orders, and has the one capability to read",
    scenario(withUpdater({ suite }), async (stage) => {
      const { host } = stage;
      const probed = { ...(await watchedHost(stage)), unit: deciding };
      const freely = await probeFreely(host, probed);
      for (const key of ["connect-channel", "connect-loopback", "see-tmp-of-others", "make-ring", "enter-ring", "register-ring"])
        expect(freely.get(key)).toEqual(["allowed"]);

      const found = await probeUnit(host, probed);
      expectForbidden(found);
      expect(found.get("uid")).toEqual([(await host.mustRun(["id", "--user", "svc-upgrade"])).trim()]);
      for (const set of ["CapPrm", "CapEff", "CapBnd", "CapAmb"]) expect(found.get(set)).toEqual([readSearch]);
      expectNoNetwork(found);
      expect(of(found, "may-make-files-in").toSorted()).toEqual(["/tmp", "/var/lib/svc-upgrade-decide", "/var/tmp"]);
      expect(writable(found).filter((path) => !path.startsWith("/var/lib/svc-upgrade-decide/"))).toEqual([]);
      expect(found.get("signal-root")).toEqual(["EPERM"]);
      await expectSecondWall(host, probed);
    }),
  );

  test(
    "the acting unit reaches no network, writes nothing but its two directories, and has the one capability to read",
    scenario(withUpdater({ suite }), async (stage) => {
      const { host } = stage;
      const probed = { ...(await watchedHost(stage)), unit: acting, settings: ["Type=oneshot"] };
      const found = await probeUnit(host, probed);
      expectForbidden(found);
      expect(found.get("uid")).toEqual(["0"]);
      for (const set of ["CapPrm", "CapEff", "CapBnd"]) expect(found.get(set)).toEqual([readSearch]);
      expect(found.get("CapAmb")).toEqual(["0".repeat(16)]);
      expectNoNetwork(found);
      expect(of(found, "may-make-files-in").toSorted()).toEqual([
        "/run/svc-upgrade",
        "/tmp",
        "/var/lib/svc-upgrade",
        "/var/lib/svc-upgrade/evidence",
        "/var/tmp",
      ]);
      expect(writable(found).filter((path) => !/^\/(?:run|var\/lib)\/svc-upgrade\//.test(path))).toEqual([]);
      // What it may do beyond that is what its comments and SECURITY.md say.
      expect([found.get("reach-manager"), found.get("signal-root")]).toEqual([["allowed"], ["allowed"]]);
      await expectSecondWall(host, probed);
    }),
  );

  test(
    "the asking unit is nobody: it reads nothing of root's, writes nowhere, has no capability and gives no orders",
    scenario(withUpdater({ suite }), async (stage) => {
      const { host } = stage;
      const probed = { ...(await watchedHost(stage)), unit: asking };
      expect(of(await probeFreely(host, probed), "may-read-secret")).toContain("/etc/shadow");
      for (const path of secrets) await host.mustRun(["test", "-e", path]);

      // What the probe finds out goes to a file.
      const settings = ["LimitFSIZE=infinity"];
      const found = await probeUnit(host, {
        ...probed,
        settings,
        afterwards: "/bin/systemctl --no-ask-password start witness.service",
      });
      // It has no place to make a device in; were there one, it still could make none.
      expect(found.get("make-device")).toEqual(["EROFS"]);
      const placed = await probeUnit(host, { ...probed, settings: [...settings, "RuntimeDirectory=placed"] });
      expectForbidden(new Map([...found, ["make-device", of(placed, "make-device")]]));
      expect(Number(found.get("uid")?.[0])).toBeGreaterThanOrEqual(61_184);
      for (const set of ["CapPrm", "CapEff", "CapBnd", "CapAmb"]) expect(found.get(set)).toEqual(["0".repeat(16)]);
      expect(found.get("connect-channel")).toEqual(["allowed"]);
      for (const key of ["socket-netlink", "socket-packet"]) expect(found.get(key)).toEqual(["EAFNOSUPPORT"]);
      expect(found.get("may-read-secret")).toBeUndefined();
      expect(found.get("signal-root")).toEqual(["EPERM"]);
      expect(of(found, "may-make-files-in")).toEqual([]);
      expect(writable(found)).toEqual([]);
      expect((await host.run(["test", "-e", "/root/witness"])).status).toBe(1);
    }),
  );

  test(
    "each exposure that is left is explained in the unit's comments",
    scenario(withUpdater({ suite }), async (stage) => {
      await outdatedHost(stage);
      for (const unit of [deciding, asking, acting]) {
        const { left, unexplained } = await exposureOf(stage.host, unit);
        expect(left).toContain("MemoryDenyWriteExecute=");
        expect(unexplained).toEqual([]);
      }
    }),
  );
});

test(
  "the transaction is one command of the package manager's, with all rights, that no stop kills",
  scenario(withUpdater({ suite: "bookworm" }), async (stage) => {
    const { host, repository, versions } = stage;
    await outdatedHost(stage);
    await repository.publish(await buildAgent(host, { version: "15.4.7", scripts: "slow" }));
    versions.serve("default", { version: "15.4.7" });
    await host.write("/etc/default/svc", "PLANTED=1\nAPT_CONFIG=/nowhere\nHTTPS_PROXY=\n");
    await schedule(host, "open");
    await host.mustRun(["systemctl", "start", "--no-block", deciding]);
    await until("the package's own script runs", 60_000, async () => {
      const { status } = await host.enter(["pgrep", "--full", "--exact", "sleep 4"]);
      return status === 0 ? true : undefined;
    });
    const pid = await pidOf(host, transaction);
    const shown = await shownOf(host, transaction);
    expect(shown).toMatchObject({
      DynamicUser: "no",
      NoNewPrivileges: "no",
      ProtectSystem: "no",
      PrivateNetwork: "no",
      Transient: "yes",
      Restart: "no",
      KillMode: "mixed",
      KillSignal: "18",
      TimeoutStopUSec: "infinity",
      RuntimeMaxUSec: "infinity",
      StandardInput: "null",
      StandardOutput: "journal",
      StandardError: "journal",
      SyslogIdentifier: "svc-upgrade",
      CollectMode: "inactive-or-failed",
      EnvironmentFiles: "/run/svc-upgrade/transaction.env (ignore_errors=no)",
    });
    // Nothing that stops the deciding unit stops this one.
    for (const bond of ["PartOf", "BindsTo", "StopPropagatedFrom"]) expect(shown[bond] ?? "").not.toContain("svc-upgrade");
    expect(shown["ExecStart"]).toMatch(/argv\[\]=\S*apt-get .*svc-ent=15\.4\.7/);
    const status = await host.mustRun(["cat", `/proc/${pid}/status`]);
    expect(status).toMatch(/^Uid:\t0\t0\t0\t0$/m);
    expect(capabilities(status)).toBe(capabilities(await host.mustRun(["cat", "/proc/1/status"])));
    const environment = await host.mustRun(["sh", "-c", `tr '\\0' '\\n' </proc/${pid}/environ | cut -d= -f1`]);
    expect(environment).toContain("DEBIAN_FRONTEND");
    for (const name of ["PLANTED", "APT_CONFIG", "LD_PRELOAD", "NODE_OPTIONS"])
      expect(environment.split("\n")).not.toContain(name);
  }),
);

async function shownOf(host: Host, unit: string): Promise<Readonly<Record<string, string>>> {
  const lines = (await host.mustRun(["systemctl", "show", unit])).split("\n");
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
}

function capabilities(status: string): string | undefined {
  return /^CapEff:\t(.*)$/m.exec(status)?.[1];
}
