import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { fileSystems, fileSystemsHere } from "./lab/disk.ts";
import { bootHost, sweepAbandonedHosts, type Host } from "./lab/host.ts";
import { runProgram } from "./lab/program.ts";
import { inLab, scenario } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";

const here = await fileSystemsHere();

describe.each(fileSystems)("a host on %s", (fileSystem) => {
  const isHere = here.includes(fileSystem);

  test.skipIf(!isHere)(
    "loses what was not synced when its caches are lost, and nothing in a plain power cut",
    scenario({ suite: "bookworm", fileSystem }, async ({ host }) => {
      await writeTwo(host, "/root/plain");
      await host.powerCut();
      await host.boot();
      expect(await readTwo(host, "/root/plain")).toEqual({ unsynced: "written", synced: "written" });

      await writeTwo(host, "/root/lost");
      await host.powerCut("lost");
      await host.boot();
      expect(await readTwo(host, "/root/plain")).toEqual({ unsynced: "written", synced: "written" });
      expect(await readTwo(host, "/root/lost")).toEqual({ unsynced: "", synced: "written" });
      expect((await host.run(["systemctl", "is-system-running"])).stdout).toBe("running\n");
    }),
  );

  test.skipIf(!isHere)(
    "leaves no loop device behind, also where its run was killed",
    inLab(async () => {
      const host = await bootHost({ suite: "bookworm", fileSystem });
      expect(await loopDevicesOf(host.directory)).toHaveLength(1);
      await host.powerCut("lost");
      expect(await loopDevicesOf(host.directory)).toEqual([]);
      await host.boot();
      await host.stop();
      expect(await loopDevicesOf(host.directory)).toEqual([]);

      const script = `${import.meta.dirname}/lab/try.ts`;
      const crashing = spawn(process.execPath, [script, "bookworm", fileSystem], { stdio: ["ignore", "pipe", "inherit"] });
      let told = "";
      crashing.stdout.on("data", (chunk: Buffer) => (told += chunk.toString()));
      const directory = await until("a host of another run", 60_000, () => /\/var\/tmp\/\S+server/.exec(told)?.[0]);
      crashing.kill("SIGKILL");
      await once(crashing, "exit");
      expect(await loopDevicesOf(directory)).toHaveLength(1);
      await sweepAbandonedHosts();
      expect(await loopDevicesOf(directory)).toEqual([]);
    }),
  );
});

test(
  "a host whose disk is memory has no caches to lose",
  scenario({ suite: "bookworm" }, async ({ host }) => {
    await expect(host.powerCut("lost")).rejects.toThrow("was not booted with a fileSystem");
    expect(await host.mustRun(["echo", "on"])).toBe("on\n");
  }),
);

async function writeTwo(host: Host, directory: string): Promise<void> {
  const script = 'mkdir "$1" && sync "$1" && cd "$1" && printf written >unsynced && printf written >synced && sync synced';
  await host.mustRun(["sh", "-c", script, "write", directory]);
}

/** A journal may know of a file before its content is there: it is empty then. */
async function readTwo(host: Host, directory: string): Promise<Readonly<Record<"unsynced" | "synced", string>>> {
  const read = async (name: string): Promise<string> => (await host.enter(["cat", `${directory}/${name}`])).stdout;
  return { unsynced: await read("unsynced"), synced: await read("synced") };
}

/** Those of the host that has that directory. */
async function loopDevicesOf(directory: string): Promise<readonly string[]> {
  const { stdout } = await runProgram(["losetup", "--noheadings", "--output", "BACK-FILE"]);
  return stdout.split("\n").filter((line) => line.startsWith(directory.replace(/server$/, "")));
}
