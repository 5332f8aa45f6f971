import { execFileSync } from "node:child_process";
import { chmodSync, closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterAll, describe, expect, test, vi } from "vitest";
import type { RunCommand } from "../../../src/machine/processes/command.ts";
import { obeyMs, runCommand } from "../../../src/machine/processes/run-command.ts";
import { runWithExeca } from "../../../src/machine/processes/run-with-execa.ts";

const folder = mkdtempSync(`${tmpdir()}/svc-upgrade-command-`);
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const env = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" };
/** Milliseconds are enough where nothing else runs; shorter than a test may last. */

let files = 0;
function newFile(): string {
  return `${folder}/${(files += 1)}`;
}

function shell(script: string): readonly [string, ...string[]] {
  return ["sh", "-c", script];
}

describe.each([
  ["node:child_process", runCommand],
  ["execa", runWithExeca],
])("a command run by %s", (_, run) => {
  test("gives back its status, its output and its complaints apart", async () => {
    expect(await run({ argv: shell("echo out; echo err >&2; exit 3"), env, timeoutMs: 5000 })).toEqual({
      kind: "exited",
      status: 3,
      stdout: "out\n",
      stderr: "err\n",
    });
  });

  test("keeps the last newline and bytes that are no text", async () => {
    const result = await run({ argv: shell("printf 'a\\n\\n\\377'"), env, timeoutMs: 5000 });
    expect(result).toMatchObject({ stdout: "a\n\n\ufffd" });
  });

  test("gets its arguments as they are, and no shell in between", async () => {
    const result = await run({ argv: ["printf", "%s|", "$HOME", "a b", "`id`", "*", ""], env, timeoutMs: 5000 });
    expect(result).toMatchObject({ stdout: "$HOME|a b|`id`|*||" });
  });

  test("inherits nothing of our environment", async () => {
    process.env["SECRET_OF_OURS"] = "1";
    const result = await run({ argv: ["env"], env: { ...env, LC_ALL: "C" }, timeoutMs: 5000 });
    delete process.env["SECRET_OF_OURS"];
    expect(result.kind === "exited" && result.stdout.trim().split("\n").sort()).toEqual(["LC_ALL=C", `PATH=${env.PATH}`]);
  });

  test("has nothing to read on stdin", async () => {
    expect(await run({ argv: ["cat"], env, timeoutMs: 5000 })).toMatchObject({ status: 0, stdout: "" });
  });

  test("inherits no open file of ours", async () => {
    const file = openSync(`${folder}/open`, "w");
    const result = await run({ argv: ["ls", "-l", "/proc/self/fd"], env, timeoutMs: 5000 });
    closeSync(file);
    expect(result).toMatchObject({ status: 0, stdout: expect.not.stringContaining(folder) });
  });

  test("that is not there is told from one that may not be run", async () => {
    const plain = `${folder}/plain`;
    writeFileSync(plain, "#!/bin/sh\n");
    chmodSync(plain, 0o644);
    expect(await run({ argv: ["no-such-program"], env, timeoutMs: 5000 })).toEqual({
      kind: "not-started",
      reason: "missing",
      message: "no-such-program could not be started: no such file or directory (ENOENT)",
    });
    expect(await run({ argv: [plain], env, timeoutMs: 5000 })).toMatchObject({ kind: "not-started", reason: "not-executable" });
    expect(await run({ argv: ["echo", "a\0b"], env, timeoutMs: 5000 })).toMatchObject({ kind: "not-started", reason: "other" });
  });

  test("that dies of a signal says of which, with what it had printed", async () => {
    const result = await run({ argv: shell("echo so far; kill -9 $$"), env, timeoutMs: 5000 });
    expect(result).toEqual({ kind: "killed", signal: "SIGKILL", stdout: "so far\n", stderr: "" });
  });

  test("is ended at its deadline, with the children it started", async () => {
    const [child, told] = [newFile(), newFile()];
    const script = `trap 'echo told > ${told}; exit' TERM; sleep 100 & echo $! > ${child}; wait`;
    await timesOut(run, script, child);
    // The shell could obey, so it was not killed outright.
    expect(readFileSync(told, "utf8")).toBe("told\n");
    await hasEnded(child);
  });

  test("that does not obey is killed outright", async () => {
    const own = newFile();
    const tookMs = await timesOut(run, `trap '' TERM; echo $$ > ${own}; exec sleep 100`, own);
    expect(tookMs).toBeGreaterThan(obeyMs);
    await hasEnded(own);
  });

  test("is ended when it is aborted, and not even started when it was aborted before", async () => {
    const stopping = new AbortController();
    const begun = newFile();
    const argv = shell(`echo so far; echo > ${begun}; exec sleep 100`);
    const aborted = run({ argv, env, timeoutMs: 60_000, signal: stopping.signal });
    await vi.waitUntil(() => existsSync(begun));
    stopping.abort();
    expect(await aborted).toEqual({ kind: "killed", signal: "SIGTERM", stdout: "so far\n", stderr: "" });
    const result = await run({ argv: shell(`echo ran > ${folder}/ran`), env, timeoutMs: 5000, signal: stopping.signal });
    expect(result).toMatchObject({ kind: "killed" });
    expect(() => readFileSync(`${folder}/ran`)).toThrow("ENOENT");
  });

  test("is not waited for by the pipe of a daemon it leaves behind", async () => {
    const result = await run({ argv: shell("setsid sleep 100 & echo $!"), env, timeoutMs: 60_000 });
    expect(result).toMatchObject({ kind: "exited", status: 0, stdout: expect.stringMatching(/^\d+\n$/) });
    const daemon = result.kind === "exited" ? Number(result.stdout) : -1;
    expect(isAlive(daemon)).toBe(true);
    process.kill(daemon);
  });

  test("that prints without end loses what is beyond the cap, and runs on", async () => {
    const result = await run({ argv: shell("head -c 6000000 /dev/zero; echo end >&2; exit 4"), env, timeoutMs: 10_000 });
    expect(result).toMatchObject({ kind: "exited", status: 4, stderr: "end\n", isCut: true });
    expect(result.kind === "exited" && result.stdout.length).toBe(4 * 1024 * 1024);
  });

  test("leaves nothing that keeps this process waiting", () => {
    const name = run === runCommand ? "run-command" : "run-with-execa";
    const source = `${import.meta.dirname}/../../../src/machine/processes/${name}.ts`;
    const script = `import * as port from ${JSON.stringify(source)};
      await Object.values(port).find((value) => typeof value === "function")({ argv: ["true"], env: {}, timeoutMs: 60000, signal: new AbortController().signal });
      console.log(process.getActiveResourcesInfo().join());`;
    expect(
      execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8", timeout: 20_000 }),
    ).not.toContain("Timeout");
  });
});

/** A shell script that begins by making a file is ended by its deadline; gives how long that took in all. */
async function timesOut(run: RunCommand, script: string, begun: string): Promise<number> {
  // On a busy machine the first deadlines may pass before the shell gets to its work.
  for (let timeoutMs = 300; timeoutMs < 20_000; timeoutMs *= 2) {
    const startedMs = performance.now();
    expect(await run({ argv: shell(script), env, timeoutMs })).toEqual({ kind: "timed-out", afterMs: timeoutMs });
    if (existsSync(begun)) return performance.now() - startedMs;
  }
  throw new Error(`no deadline was long enough for: ${script}`);
}

/** It was told to end; a busy machine may take a moment to bury it. */
async function hasEnded(pidFile: string): Promise<void> {
  await vi.waitUntil(() => !isAlive(Number(readFileSync(pidFile, "utf8"))));
}

function isAlive(pid: number): boolean {
  try {
    // A zombie has ended as well.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
