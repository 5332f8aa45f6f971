import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { CommandResult } from "../../../src/machine/processes/command.ts";
import { runningFile } from "../../../src/updater/unit/running-file.ts";

const folder = mkdtempSync(join(tmpdir(), "svc-upgrade-running-"));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, "svc");
writeFileSync(path, "");
const changedMs = statSync(path).ctimeMs;

const told = (stdout: string, status = 0): CommandResult => ({ kind: "exited", status, stdout, stderr: "" });

describe("what a process runs", () => {
  test.each<[title: string, result: CommandResult, sinceMs: number, file: string]>([
    ["the file that was put there in that moment, by a clock that ticks behind", told(`${path}\n`), changedMs + 50, "new"],
    ["one that is gone", told(`${path} (deleted)\n`), changedMs - 1000, "old"],
    ["one that lay there before: it may be an interpreter", told(`${path}\n`), changedMs + 51, "unknown"],
    ["nothing any more", told("", 1), 0, "unknown"],
  ])("is %s", async (_title, result, sinceMs, file) => {
    const asked: string[] = [];
    const run = ({ argv }: { readonly argv: readonly string[] }): Promise<CommandResult> => {
      asked.push(argv.slice(-2).join(" "));
      return Promise.resolve(result);
    };
    expect(await runningFile(run, 42, sinceMs)).toBe(file);
    expect(asked[0]).toBe("readlink /proc/42/exe");
  });
});
