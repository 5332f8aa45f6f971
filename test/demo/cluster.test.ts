import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { scratchOfTest } from "../machine/files/scratch.ts";
import { hasSsh } from "./cluster/shell.ts";

const runs = [process.execPath, join(import.meta.dirname, "cluster.ts")];

/** Nothing of the machine's, but where ssh lies and the programs that other tests have compiled. */
function surroundings(temporary: string): Readonly<Record<string, string>> {
  return { PATH: process.env["PATH"] ?? "", TMPDIR: temporary, NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? "" };
}

type Shown = { readonly status: number | null; readonly stdout: string; readonly stderr: string };

/** To its end, however busy the machine is: the test's own deadline is the only one. */
async function shown(temporary: string): Promise<Shown> {
  const [command = "", ...words] = runs;
  const child = spawn(command, words, { env: surroundings(temporary), stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill());
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (text) => (stdout += String(text)));
  child.stderr.on("data", (text) => (stderr += String(text)));
  const [status] = (await once(child, "close")) as [number | null];
  return { status, stdout, stderr };
}

/** Of what was started in a folder, all that still runs there. */
function runningIn(folder: string): readonly string[] {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name) && folderOf(name).startsWith(folder));
}

function folderOf(processId: string): string {
  try {
    return readlinkSync(`/proc/${processId}/cwd`);
  } catch {
    // It has ended, or is another user's.
    return "";
  }
}

test("the demo of the cluster shows its first window, what is refused and a backup, and leaves nothing", async () => {
  const temporary = scratchOfTest();
  const { status, stdout, stderr } = await shown(temporary);
  expect([status, stderr]).toEqual([0, ""]);
  const typed = stdout.split("\n").filter((line) => /^[#$(]/.test(line));
  expect(typed.filter((line) => line.startsWith("# ")).length).toBeGreaterThan(7);
  expect(typed.filter((line) => line.startsWith("(exit status "))).toEqual([
    "(exit status 77)",
    ...(hasSsh() ? ["(exit status 77)"] : []),
    "(exit status 65)",
    "(exit status 73)",
    "(exit status 73)",
    "(exit status 77)",
  ]);
  expect(stdout).toContain("\nmaintenance window has been updated\nIt opens next:\n");
  expect(stdout).toMatch(/\nDone: .*\n$/);
  expect(readdirSync(temporary)).toEqual([]);
  expect(runningIn(temporary)).toEqual([]);
});

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("the demo of the cluster leaves nothing where it is interrupted by %s", async (signal, expected) => {
  const temporary = scratchOfTest();
  const child = spawn(runs[0]!, runs.slice(1), { env: surroundings(temporary), stdio: ["ignore", "pipe", "ignore"] });
  try {
    let said = "";
    for await (const text of child.stdout) {
      said += String(text);
      // The service runs by then, and a command beside it.
      if (said.includes("$ tctl status")) break;
    }
    expect(runningIn(temporary).length).toBeGreaterThan(0);
    child.kill(signal);
    const [status] = (await once(child, "exit")) as [number];
    expect(status).toBe(expected);
    expect(readdirSync(temporary)).toEqual([]);
    expect(runningIn(temporary)).toEqual([]);
  } finally {
    child.kill("SIGKILL");
  }
});

test("the demo of the cluster says what failed, and leaves nothing", async () => {
  // So deep that no socket has room there.
  const temporary = join(scratchOfTest(), "deep".repeat(25));
  mkdirSync(temporary);
  const { status, stdout, stderr } = await shown(temporary);
  expect(status).toBe(1);
  expect(stdout).toContain("root's socket lies below it");
  expect(stdout).toMatch(/\nThe demo failed.\n$/);
  expect(stderr).toContain("The demo expected something else: `svc check -c svc.yaml`");
  expect(readdirSync(temporary)).toEqual([]);
  expect(runningIn(temporary)).toEqual([]);
});
