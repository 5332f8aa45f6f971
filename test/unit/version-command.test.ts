import { chmodSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Command, CommandResult } from "../../src/host/command.ts";
import { runCommand } from "../../src/host/run-command.ts";
import { askBinary } from "../../src/unit/version-command.ts";
import { scratchFolder } from "../host/scratch.ts";

const folder = scratchFolder();

function script(name: string, text: string, mode: number = 0o755): readonly string[] {
  const path = `${folder}/${name}`;
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, mode);
  return [path, "version"];
}

describe("asking the agent's binary, for real", () => {
  test.each([
    ["speaks", 'echo "svc v15.4.6 git:abc go1.22"', { kind: "answers", version: "15.4.6" }],
    ["warns", 'echo "a warning, version 1.2.3" >&2; echo 15.4.6', { kind: "answers", version: "15.4.6" }],
    ["mute", "exit 0", { kind: "broken", why: 'it prints no version: ""' }],
    ["chats", "echo hello", { kind: "broken", why: 'it prints no version: "hello"' }],
    ["fails", "echo 15.4.6; echo broken pipe >&2; exit 3", { kind: "broken", why: "it ends with 3: broken pipe" }],
    ["fails-mute", "echo 15.4.6; exit 3", { kind: "broken", why: "it ends with 3: 15.4.6" }],
    ["dies", "kill -SEGV $$", { kind: "broken", why: "it dies of SIGSEGV" }],
  ])("that %s", async (name, text, binary) => {
    expect(await askBinary(runCommand, script(name, text))).toEqual(binary);
  });

  test("that is not there, or cannot be run", async () => {
    expect(await askBinary(runCommand, [`${folder}/none`])).toEqual({ kind: "missing" });
    const found = await askBinary(runCommand, script("plain", "echo 15.4.6", 0o644));
    expect(found.kind).toBe("broken");
  });

  test("gives it none of our environment, and the usual places to look for programs", async () => {
    const command = script("environment", 'echo "15.4.6-$(env | grep -c PROXY)"');
    expect(await askBinary(runCommand, command)).toEqual({ kind: "answers", version: "15.4.6-0" });
    expect(await askBinary(runCommand, ["sh", "-c", "echo 1.2.3"])).toEqual({ kind: "answers", version: "1.2.3" });
  });
});

test("without a command nothing is asked", async () => {
  expect(await askBinary(() => Promise.reject(new Error("must not be called")), [])).toEqual({ kind: "not-asked" });
});

test("one that hangs is broken after a while", async () => {
  const asked: Command[] = [];
  const run = async (command: Command): Promise<CommandResult> => {
    asked.push(command);
    return { kind: "timed-out", afterMs: command.timeoutMs };
  };
  expect(await askBinary(run, ["svc", "version"])).toEqual({ kind: "broken", why: "it prints no version within 15 s" });
  expect(asked).toMatchObject([{ argv: ["svc", "version"], timeoutMs: 15_000 }]);
});
