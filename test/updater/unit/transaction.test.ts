import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Command, CommandResult } from "../../../src/machine/processes/command.ts";
import { transactInUnit, type TransactionCall } from "../../../src/updater/unit/transaction.ts";
import { watchOf } from "./given.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "svc-upgrade-transaction-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

const environment = (): string => join(directory, "transaction.env");
const call: TransactionCall = {
  argv: ["apt-get", "update"],
  env: { HTTPS_PROXY: "http://a:s3cret@proxy.test" },
  what: "refresh",
};

type Unit = {
  /** What its last command writes, behind its id; undefined: it could not. */
  readonly end?: string;
  /** It never ends. */
  readonly isEndless?: boolean;
  readonly lines?: string;
  readonly apart?: string;
};

/** A systemd whose transient unit ends at once. */
function systemd({ end, isEndless = false, lines = "", apart }: Unit): {
  run: (command: Command) => Promise<CommandResult>;
  asked: string[];
} {
  const asked: string[] = [];
  let id = "";
  const run = ({ argv }: Command): Promise<CommandResult> => {
    const words = argv.join(" ");
    asked.push(words);
    if (argv[0] === "systemd-run") {
      id = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(words)?.[0] ?? "";
      expect(readFileSync(environment(), "utf8")).toContain("s3cret");
      expect(statSync(environment()).mode & 0o777).toBe(0o600);
      if (end !== undefined) writeFileSync(join(directory, "transaction-end"), `${id}\n${end}`);
      if (apart !== undefined) writeFileSync(join(directory, "transaction-output"), apart);
    }
    const shown = isEndless ? `ExecStopPost={ ${id} }\nLoadState=loaded\n` : "LoadState=not-found\n";
    const stdout = argv[0] === "journalctl" ? lines : shown;
    return Promise.resolve({ kind: "exited", status: 0, stdout, stderr: "" });
  };
  return { run, asked };
}

function transact(unit: Unit, more: Partial<TransactionCall> = {}): { result: Promise<CommandResult>; asked: string[] } {
  const { run, asked } = systemd(unit);
  const { stopwatch } = watchOf();
  return { result: transactInUnit({ run, stopwatch, directory }, 60_000)({ ...call, ...more }), asked };
}

describe("a call in a unit of its own", () => {
  test("that goes on when the time is up is a fault, and keeps its environment, which its last command needs", async () => {
    await expect(transact({ isEndless: true }).result).rejects.toMatchObject({
      code: "busy",
      message: "a transaction is still running after 1 minutes",
    });
    expect(existsSync(environment())).toBe(true);
  });

  test("that is gone without a word was ended by force, and its environment is gone with it", async () => {
    const { result, asked } = transact({});
    expect(await result).toMatchObject({ kind: "killed", signal: "SIGKILL", how: "without a trace" });
    expect(existsSync(environment())).toBe(false);
    // No password is in what everybody sees of a process.
    expect(asked.filter((words) => words.includes("s3cret"))).toEqual([]);
  });

  // What anybody else could have written is no end.
  describe.skipIf(process.getuid?.() !== 0)("that root has written the end of", () => {
    test("comes back with what the journal has of it", async () => {
      const { result } = transact({ end: "exit-code\nexited\n100\n", lines: "E: no\n" });
      expect(await result).toEqual({ kind: "exited", status: 100, stdout: "E: no\n", stderr: "" });
      expect(existsSync(environment())).toBe(false);
    });

    test("comes back with its output apart from the journal's lines, where that was asked for", async () => {
      const { result } = transact({ end: "success\nexited\n0\n", lines: "a warning\n", apart: "<xml/>\n" }, { output: "apart" });
      expect(await result).toEqual({ kind: "exited", status: 0, stdout: "<xml/>\n", stderr: "a warning\n" });
      expect(existsSync(join(directory, "transaction-output"))).toBe(false);
    });

    test("has no output where it wrote none, whatever an earlier one left", async () => {
      writeFileSync(join(directory, "transaction-output"), "of another\n");
      const { result } = transact({ end: "success\nexited\n0\n" }, { output: "apart" });
      expect(await result).toMatchObject({ status: 0, stdout: "" });
    });
  });
});
