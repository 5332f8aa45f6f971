import { describe, expect, test } from "vitest";
import type { CommandResult } from "../../../../src/machine/processes/command.ts";
import { ended } from "../../../../src/updater/package/call/result.ts";
import { parseEnd, withoutTrace } from "../../../../src/updater/unit/transaction-end.ts";

describe("a package manager that was ended by a signal", () => {
  // No memory controller reaches the hosts of the lab: what the kernel's killer leaves behind is written by hand.
  test.each<[CommandResult | undefined, string]>([
    [parseEnd("id\nsignal\nkilled\nKILL\n", "id"), "apt-get was ended by SIGKILL"],
    [parseEnd("id\noom-kill\nexited\n100\n", "id"), "apt-get was ended by SIGKILL: the host had run out of memory"],
    [withoutTrace, "apt-get was ended by force, with all that belonged to it"],
  ])("is nobody's fault, and told: %j", (result, message) => {
    expect(() => ended(result!, "apt-get")).toThrow(expect.objectContaining({ code: "interrupted", message }) as Error);
  });
});

describe("a package manager that did not come to an end", () => {
  test.each<[result: CommandResult, code: string, says: string]>([
    [{ kind: "timed-out", afterMs: 1_800_000 }, "manager-busy", "apt-get has not come to an end after 1800 seconds"],
    [{ kind: "not-started", reason: "missing", message: "ENOENT" }, "host-unsupported", "apt-get is not installed"],
    [{ kind: "not-started", reason: "other", message: "no memory" }, "os-failed", "apt-get could not be started: no memory"],
  ])("is a fault of its own kind: %j", (result, code, says) => {
    expect(() => ended(result, "apt-get")).toThrow(expect.objectContaining({ code, message: says }) as Error);
    expect(() => ended(result, "apt-get")).toThrow(
      expect.objectContaining({
        hint: expect.stringMatching(/`(?:ps -ef \| grep apt-get|apt-get --version|manager:)`/) as string,
      }) as Error,
    );
  });
});
