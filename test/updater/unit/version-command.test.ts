import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Command, CommandResult } from "../../../src/machine/processes/command.ts";
import { runCommand } from "../../../src/machine/processes/run-command.ts";
import { askBinary } from "../../../src/updater/unit/version-command.ts";
import { missingForOtherUsers, readableCopy, type Copy } from "../cli/readable-copy.ts";
import { inChroot, scratchFolder } from "../../machine/files/scratch.ts";

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

const missing = missingForOtherUsers();
if (missing !== undefined) console.warn(`SKIPPED: asking the agent's binary as another user: ${missing}`);
if (inChroot())
  console.warn("SKIPPED: a setpriv that takes no rights away: a root that is no mount cannot keep its mounts to itself");

const readSearch = ["--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"];

describe.skipIf(missing !== undefined).each([
  ["without more rights than others have", []],
  ["that may read what is others'", readSearch],
])("asking the agent's binary as a user %s", (_title, rights) => {
  let copy: Copy;
  beforeAll(() => {
    copy = readableCopy();
    chmodSync(folder, 0o755);
  });
  afterAll(() => copy.remove());

  function asNobody(command: readonly string[], ...before: readonly string[]): unknown {
    const program = `import { askBinary } from "${copy.folder}/src/updater/unit/version-command.ts";
      import { runCommand } from "${copy.folder}/src/machine/processes/run-command.ts";
      console.log(JSON.stringify(await askBinary(runCommand, process.argv.slice(1)).catch(({ code, message }) => ({ code, message }))));`;
    const node = [copy.node, "--input-type=module", "--eval", program, "--", ...command];
    const [first = "", ...rest] = [...before, ...copy.asNobody, ...rights, ...node];
    return JSON.parse(execFileSync(first, rest, { cwd: "/", encoding: "utf8" }));
  }

  test("leaves it none of them", () => {
    const command = script(
      "rights",
      `echo "15.4.6-$(sed -n 's/^Cap\\(Inh\\|Prm\\|Eff\\|Amb\\):.0*/x/p' /proc/self/status | tr -d '\\n')"`,
    );
    expect(asNobody(command)).toEqual({ kind: "answers", version: "15.4.6-xxxx" });
  });

  test("finds nothing wrong with one that only root may execute, wherever that is said", () => {
    const file = script("for-root", "echo 15.4.6", 0o750);
    expect(asNobody(file)).toEqual({ kind: "not-asked", why: `no permission to execute ${file[0]}` });
    mkdirSync(`${folder}/shut`, { mode: 0o700, recursive: true });
    const below = script("shut/svc", "echo 15.4.6");
    expect(asNobody(below)).toEqual({ kind: "not-asked", why: `no permission to execute ${below[0]}` });
    const [interpreter = ""] = script("interpreter", "echo 15.4.6", 0o750);
    const interpreted = `${folder}/interpreted`;
    writeFileSync(interpreted, `#!${interpreter}\n`, { mode: 0o755 });
    expect(asNobody([interpreted])).toEqual({ kind: "not-asked", why: `no permission to execute ${interpreted}` });
  });

  test("finds one broken that nobody may execute, that is damaged, or that fails", () => {
    expect(asNobody(script("for-nobody", "echo 15.4.6", 0o644))).toMatchObject({ kind: "broken" });
    expect(asNobody(script("ends-as-setpriv-does", "echo setpriv was not found >&2; exit 127"))).toEqual({
      kind: "broken",
      why: "it ends with 127: setpriv was not found",
    });
    const damaged = `${folder}/damaged`;
    writeFileSync(damaged, Buffer.from("\x7fELF\x02\x01\x01\0\0"), { mode: 0o755 });
    expect(asNobody([damaged])).toMatchObject({ kind: "broken" });
    expect(asNobody([`${folder}/none`])).toEqual({ kind: "missing" });
  });

  test.skipIf(inChroot())("holds it against nobody where those rights cannot be taken away", () => {
    const [denied = ""] = script(
      "setpriv-in-a-filter",
      "echo 'setpriv: activate capabilities: Operation not permitted' >&2; exit 127",
    );
    // The one that becomes nobody is another one than the one that is called.
    const own = `${folder}/own-setpriv`;
    copyFileSync(execFileSync("sh", ["-c", "command -v setpriv"], { encoding: "utf8" }).trim(), own);
    const hidden = `mount --bind "${denied}" "$(command -v setpriv)" && shift && exec "${own}" "$@"`;
    const found = asNobody(script("whole", "echo 15.4.6"), "unshare", "--mount", "sh", "-c", hidden, "sh");
    expect(found).toEqual(
      rights.length === 0
        ? { kind: "answers", version: "15.4.6" }
        : {
            code: "host-unsupported",
            message: expect.stringMatching(/^setpriv cannot take .*: activate capabilities: Operation not permitted$/),
          },
    );
  });
});
