import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CommandResult } from "../../../src/machine/processes/command.ts";
import { askingAgain, isCutOff } from "../../../src/machine/processes/ask-systemd-again.ts";
import { watchOf } from "../../updater/unit/given.ts";

const failed = (stderr: string, status: number = 1): CommandResult => ({ kind: "exited", status, stdout: "", stderr });
const answered: CommandResult = { kind: "exited", status: 0, stdout: "ActiveState=active\n", stderr: "" };
const command = { argv: ["systemctl", "show"], env: {}, timeoutMs: 1 } as const;

/** Said by systemctl of systemd 247, 252 and 257 while PID 1 executed itself again. */
const lost: readonly string[] = [
  "Failed to get properties: Connection reset by peer",
  "Failed to get properties: Transport endpoint is not connected",
  "Failed to get properties: Message recipient disconnected from message bus without replying",
  "Failed to connect to system scope bus via local transport: Connection refused",
  "Failed to connect to bus: Connection refused",
  "Warning! D-Bus connection terminated.\nFailed to wait for response: Connection reset by peer",
  "D-Bus connection terminated while waiting for jobs.",
];

const sources = join(import.meta.dirname, "../../../src");
const asks = /"(?:systemctl|timedatectl|systemd-run)",/;
/** The transaction's end is told by its unit. */
const elsewhere: readonly string[] = ["updater/unit/transaction-argv.ts"];

describe("a question to systemd", () => {
  test.each(
    globSync("**/*.ts", { cwd: sources }).filter(
      (file) => !elsewhere.includes(file) && asks.test(readFileSync(join(sources, file), "utf8")),
    ),
  )("is asked by %s in the way that asks again", (file) => {
    expect(readFileSync(join(sources, file), "utf8")).toMatch(/from "\.[\w./]*\/ask-systemd-again\.ts"/);
  });

  test.each(lost)("is asked again after: %s", async (stderr) => {
    const { stopwatch } = watchOf();
    const results = [failed(stderr), failed(stderr), answered];
    expect(await askingAgain(async () => results.shift() ?? failed("asked too often"), stopwatch)(command)).toBe(answered);
  });

  test("is asked again where somebody ended the program that asks", async () => {
    const { stopwatch } = watchOf();
    const results: CommandResult[] = [{ kind: "killed", signal: "SIGKILL", stdout: "", stderr: "" }, answered];
    expect(await askingAgain(async () => results.shift() ?? failed(""), stopwatch)(command)).toBe(answered);
  });

  test("is given up after ten seconds, with what was said", async () => {
    const { stopwatch, atSecond } = watchOf();
    const result = failed("Failed to get properties: Connection refused");
    expect(await askingAgain(async () => result, stopwatch)(command)).toBe(result);
    expect(atSecond()).toBe(10);
  });

  test.each<CommandResult>([
    failed("Failed to get unit file state for x.service: No such file or directory"),
    failed("", 3),
    { kind: "timed-out", afterMs: 1 },
    { kind: "not-started", reason: "missing", message: "systemctl could not be started" },
    { kind: "exited", status: 0, stdout: "Connection refused", stderr: "Connection refused" },
  ])("is asked once where it was heard: %j", async (result) => {
    let asked = 0;
    const run = async (): Promise<CommandResult> => {
      asked += 1;
      return result;
    };
    expect(await askingAgain(run, watchOf().stopwatch)(command)).toBe(result);
    expect(asked).toBe(1);
  });

  test("is not asked again where the caller itself ended it", () => {
    expect(isCutOff({ kind: "killed", signal: "SIGTERM", stdout: "", stderr: "" }, { signal: AbortSignal.abort() })).toBe(false);
  });
});
