import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { agentProcess, buildAgent, installAgent, type AgentOptions, type AgentProcess } from "./lab/agent.ts";
import { nextSuite, rpmSuites, suites, type Suite } from "./lab/base.ts";
import { bootHost, sweepAbandonedHosts, type Host } from "./lab/host.ts";
import { cgroup2Mount } from "./lab/machine.ts";
import { installPackage, refreshLists } from "./lab/package-tools.ts";
import { isNextAskedFor } from "./next.ts";
import { runProgram } from "./lab/program.ts";
import { inLab, scenario, type Stage } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";

/** The lab itself: what the scenarios rest on. */

const systemdOf: Readonly<Record<Suite, string>> = {
  bullseye: "247",
  bookworm: "252",
  trixie: "257",
  sid: "\\d+",
  yum: "252",
  zypper: "252",
};

describe.each([...suites, ...rpmSuites, ...(isNextAskedFor ? [nextSuite] : [])])("a %s host", (suite) => {
  test(
    "boots with nothing failed, and runs programs as root and as a user",
    scenario({ suite }, async ({ host }) => {
      expect((await host.run(["systemctl", "is-system-running"])).stdout).toBe("running\n");
      expect((await host.mustRun(["systemctl", "list-units", "--failed", "--no-legend"])).trim()).toBe("");
      expect(await host.mustRun(["systemctl", "--version"])).toMatch(new RegExp(`^systemd ${systemdOf[suite]} `));
      expect(await host.mustRun(["id", "--user"])).toBe("0\n");
      const asked = await host.run(["sh", "-c", 'cat; echo "$A $(id -un)"; echo told >&2; exit 7'], {
        user: "ordinary",
        env: { A: "one  two" },
        input: "given\n",
      });
      expect(asked).toEqual({ status: 7, stdout: "given\none  two ordinary\n", stderr: "told\n" });
      expect(await host.mustRun(["cat", "/proc/self/cgroup"])).toContain("0::/system.slice/run-");
    }),
  );

  test(
    "installs the agent from the repository and upgrades it, a plain reload leaving the old code",
    scenario({ suite }, async (stage) => {
      const { host, repository } = stage;
      await upgradeByHand(stage, { version: "15.4.6", reload: "reread" });
      expect(repository.server.requests.map(({ path }) => path)).toContainEqual(expect.stringMatching(/\/svc-ent[_-]15\.4\.6/));
      await host.mustRun(["systemctl", "reload", "svc.service"]);
      await until("the reload to be told", 30_000, async () =>
        (await host.journal("svc.service")).includes("reloaded") ? true : undefined,
      );
      const kept = await agentProcess(host);
      expect(kept?.executable).toBe("/usr/bin/svc (deleted)");
      expect(kept?.speaks).toContain(" v15.4.5 ");
      await host.mustRun(["systemctl", "restart", "svc.service"]);
      expect((await reachesVersion(host, "15.4.6")).executable).toBe("/usr/bin/svc");
    }),
  );
});

describe.each(suites)("the agent on %s", (suite) => {
  test(
    "upgrades an agent that becomes its new version on reload, in the same process",
    scenario({ suite }, async (stage) => {
      await upgradeByHand(stage, { version: "15.4.6", reload: "exec" });
      const before = await agentProcess(stage.host);
      await stage.host.mustRun(["systemctl", "reload", "svc.service"]);
      const after = await reachesVersion(stage.host, "15.4.6");
      expect(after).toEqual({ ...after, pid: before?.pid, executable: "/usr/bin/svc" });
    }),
  );

  test(
    "upgrades an agent that hands over to a child on reload",
    scenario({ suite }, async (stage) => {
      await upgradeByHand(stage, { version: "15.4.6", reload: "fork" });
      const before = await agentProcess(stage.host);
      await stage.host.mustRun(["systemctl", "reload", "svc.service"]);
      const after = await reachesVersion(stage.host, "15.4.6");
      expect(after.pid).not.toBe(before?.pid);
      expect(await stage.host.mustRun(["systemctl", "show", "--property=NRestarts", "--value", "svc.service"])).toBe("0\n");
    }),
  );
});

describe("a host's life", () => {
  test(
    "loses its processes in a power cut, keeps its files and boots again",
    scenario({ suite: "bookworm" }, async ({ host, repository }) => {
      await repository.publish(await buildAgent(host, { version: "15.4.5" }));
      await installAgent(host, "15.4.5");
      await host.write("/var/lib/kept", "kept", { mode: "0600", owner: "ordinary" });
      await host.powerCut();
      await expect(host.run(["true"])).rejects.toThrow("is off");
      await host.boot();
      expect(await host.read("/var/lib/kept")).toBe("kept");
      expect(await host.mustRun(["stat", "--format=%U %a", "/var/lib/kept"])).toBe("ordinary 600\n");
      expect(await host.mustRun(["systemctl", "is-active", "svc.service"])).toBe("active\n");
      await host.powerOff();
      await host.boot();
      expect(await host.journal("svc.service")).toContain("stopping version=15.4.5");
    }),
  );

  test(
    "goes on undisturbed beside another host",
    inLab(async () => {
      const hosts = await Promise.all([bootHost({ suite: "bookworm" }), bootHost({ suite: "trixie" })]);
      const [one, other] = hosts;
      try {
        for (const host of hosts) await host.mustRun(["systemd-run", "--unit=svc", "--quiet", "sleep", "1000"]);
        await one.mustRun(["systemctl", "stop", "svc.service"]);
        expect(await other.mustRun(["systemctl", "is-active", "svc.service"])).toBe("active\n");
        const { status } = await other.run(["curl", "--silent", "--max-time", "2", `http://${one.network.outerAddress}:1/`]);
        // curl could not connect: no route leads from one host to where another's servers stand.
        expect(status).toBe(7);
        await one.powerCut();
        expect(await other.mustRun(["systemctl", "is-active", "svc.service"])).toBe("active\n");
      } finally {
        for (const host of hosts) await host.stop();
      }
    }),
  );

  test(
    "leaves nothing behind on the machine, its disk included",
    inLab(async () => {
      const host = await bootHost({ suite: "bookworm", diskMegabytes: 30 });
      const during = await tracesOf(host.directory);
      expect(during).toHaveLength(5);
      const full = await host.run(["dd", "if=/dev/zero", "of=/full", "bs=1M", "count=40"]);
      expect(full.stderr).toContain("No space left on device");
      await host.stop();
      expect(await tracesOf(host.directory)).toEqual([]);
    }),
  );
});

describe("a run that crashed", () => {
  test(
    "is swept away by the next one",
    inLab(async () => {
      const script = `${import.meta.dirname}/lab/try.ts`;
      const crashing = spawn(process.execPath, [script, "bookworm"], { stdio: ["ignore", "pipe", "inherit"] });
      let told = "";
      crashing.stdout.on("data", (chunk: Buffer) => (told += chunk.toString()));
      const directory = await until("a host of another run", 60_000, () => /\/var\/tmp\/\S+server/.exec(told)?.[0]);
      await sweepAbandonedHosts();
      expect(await tracesOf(directory)).toHaveLength(5);

      crashing.kill("SIGKILL");
      await once(crashing, "exit");
      await sweepAbandonedHosts();
      expect(await tracesOf(directory)).toEqual([]);
    }),
  );
});

/** 15.4.5 is running, and the next version lies on the disk. */
async function upgradeByHand({ host, repository }: Stage, next: AgentOptions): Promise<void> {
  await repository.publish(await buildAgent(host, { ...next, version: "15.4.5" }));
  await installAgent(host, "15.4.5");
  expect(await host.mustRun(["svc", "version"])).toContain(" v15.4.5 ");
  expect(await host.mustRun(["systemctl", "is-active", "svc.service"])).toBe("active\n");
  await repository.publish(await buildAgent(host, next));
  await refreshLists(host);
  await installPackage(host, "svc-ent", next.version);
  expect(await host.mustRun(["svc", "version"])).toContain(` v${next.version} `);
  expect((await agentProcess(host))?.speaks).toContain(" v15.4.5 ");
}

function reachesVersion(host: Host, version: string): Promise<AgentProcess> {
  return until(`the agent to run ${version}`, 30_000, async () => {
    const found = await agentProcess(host);
    return found?.speaks.includes(` v${version} `) === true ? found : undefined;
  });
}

/** Everything of a host that a machine can show: its namespace, interface, cgroup, directory and mounts. */
async function tracesOf(directory: string): Promise<readonly string[]> {
  const number = directory.split("/").at(-2) ?? "";
  const places = {
    namespace: (await runProgram(["ip", "netns", "list"])).stdout
      .split(/\s/)
      .filter((word) => word === `svc-upgrade-lab-${number}`),
    interface: (await readdir("/sys/class/net")).filter((name) => name === `svclab${number}`),
    cgroup: (await readdir((await cgroup2Mount()) ?? "")).filter((name) => name === `svc-upgrade-lab-${number}`),
    directory: (await readdir("/var/tmp/svc-upgrade-lab")).filter((name) => name === number),
    mount: (await readFile("/proc/self/mounts", "utf8"))
      .split("\n")
      .filter((line) => line.includes(`/svc-upgrade-lab/${number}/`)),
  };
  return Object.entries(places).flatMap(([kind, found]) => found.map((name) => `${kind} ${name}`));
}
