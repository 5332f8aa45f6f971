import { spawn, spawnSync } from "node:child_process";
import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { scratchFolder } from "../files/scratch.ts";

const folder = scratchFolder();
const source = JSON.stringify(`${import.meta.dirname}/../../../src/machine/program/standard-streams.ts`);

function node(script: string): readonly string[] {
  return ["--input-type=module", "-e", `import { isJournal, writeToStandardError } from ${source}; ${script}`];
}

describe("standard output", () => {
  const programs = ["svc-upgrade", "svc-proxy", "svc-kube-updater", "svc", "tctl", "tsh"];

  test.each(programs)("that takes nothing makes %s fail, and say why", (program) => {
    const full = openSync("/dev/full", "w");
    const entry = `${import.meta.dirname}/../../../src/${program}.ts`;
    const { status, stderr } = spawnSync(process.execPath, [entry, "--help"], {
      stdio: ["ignore", full, "pipe"],
      encoding: "utf8",
    });
    closeSync(full);
    expect(status).toBe(74);
    expect(stderr).toContain("error: standard output could not be written: no space left on device (ENOSPC)\nnext: ");
  });

  test("that its reader closed is no fault", async () => {
    const script = `import { statusWithOutput, writeToStandardOutput } from ${source};
      setTimeout(() => { writeToStandardOutput("line\\n"); process.exit(statusWithOutput(0)); }, 200);`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "ignore"] });
    child.stdout.destroy();
    expect(await new Promise((resolve) => child.once("exit", resolve))).toBe(0);
  });
});

describe("standard error", () => {
  test("gets a line before the process ends by a signal of its own", () => {
    const { stderr, signal } = spawnSync(
      process.execPath,
      node('writeToStandardError("last words\\n"); process.kill(process.pid, "SIGKILL");'),
      {
        encoding: "utf8",
      },
    );
    expect([stderr, signal]).toEqual(["last words\n", "SIGKILL"]);
  });

  test("gets more than a pipe holds", () => {
    const { stderr } = spawnSync(process.execPath, node('writeToStandardError("a".repeat(300_000) + "\\n");'), {
      encoding: "utf8",
    });
    expect(stderr.length).toBe(300_001);
  });

  test("that nobody reads any more stops nothing", async () => {
    const child = spawn(process.execPath, node('setTimeout(() => { writeToStandardError("line\\n"); process.exit(3); }, 200);'), {
      stdio: ["ignore", "ignore", "pipe"],
    });
    child.stderr.destroy();
    expect(await new Promise((resolve) => child.once("exit", resolve))).toBe(3);
  });

  test("is the journal's only where JOURNAL_STREAM names this very stream", () => {
    const file = openSync(`${folder}/stream`, "w");
    const { dev, ino } = fstatSync(file);
    const script = `for (const stream of ["${dev}:${ino}", "${dev}:${ino + 1}", "", undefined]) console.log(isJournal(stream));`;
    const { stdout } = spawnSync(process.execPath, node(script), { stdio: ["ignore", "pipe", file], encoding: "utf8" });
    closeSync(file);
    expect(stdout).toBe("true\nfalse\nfalse\nfalse\n");
    expect(readFileSync(`${folder}/stream`, "utf8")).toBe("");
  });
});
