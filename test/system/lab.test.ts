import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { buildAgent, installAgent } from "./lab/agent.ts";
import { bootHost, sweepAbandonedHosts } from "./lab/host.ts";
import { cgroup2Mount } from "./lab/machine.ts";
import { runProgram } from "./lab/program.ts";
import { inLab, scenario } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";

/** The lab itself: what the scenarios rest on. */

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
