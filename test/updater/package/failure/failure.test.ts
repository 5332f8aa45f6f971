import { describe, expect, test } from "vitest";
import {
  faultIn,
  heldBy,
  namingHolder,
  tellLines,
  whyIn,
  type FailureTable,
} from "../../../../src/updater/package/failure/failure.ts";
import { Fault } from "../../../../src/rules/fault/fault.ts";

const call = { program: "mgr", command: "install x" };
const table: FailureTable = {
  readings: [
    { says: /^lock held/m, code: "manager-busy", hint: () => "wait" },
    { says: /^disk full/m, code: "no-space", hint: ({ program, command }) => `look at ${program} ${command}` },
    { says: /^plan/m, code: "plan-refused", tells: (output) => /why: (.*)/.exec(output)?.[1] },
    { status: 7, code: "not-offered" },
    { status: 7, code: "not-permitted" },
    { says: /^gone/m, code: "download-failed", message: (_output, status) => (status === 9 ? "all of it is gone" : undefined) },
  ],
  errors: /^E: /,
  longestLine: 10,
  mostLines: 3,
  mostUnderstood: 2,
  tidy: (line) => line.replace(/^- /, ""),
  before: (_output, understood) => (understood.length > 1 ? ["several"] : []),
  tells: (output) => /^all: (.*)/m.exec(output)?.[1],
};

function told(output: string, status?: number): { readonly code: string; readonly message: string; readonly hint: string } {
  const { code, message, hint } = faultIn(table, status === undefined ? { output } : { output, status }, call);
  return { code, message, hint };
}

describe("what a package manager that failed has said", () => {
  test.each<[title: string, output: string, status: number | undefined, code: string, message: string]>([
    ["words that are known", "one\nlock held\ntwo\n", undefined, "manager-busy", "mgr install x failed: lock held"],
    ["words that are known, with a status", "lock held\n", 7, "manager-busy", "mgr install x failed with status 7: lock held"],
    [
      "the first that are known, of the table",
      "disk full\nlock held\n",
      undefined,
      "manager-busy",
      "mgr install x failed: lock held",
    ],
    ["a status that is known", "E: x\n", 7, "not-offered", "mgr install x failed with status 7: E: x"],
    ["nothing that is known", "E: x\n", 1, "install-failed", "mgr install x failed with status 1: E: x"],
    ["nothing at all", " \n", 1, "install-failed", "mgr install x failed with status 1: it said nothing"],
    ["what tells more than its line", "plan\nwhy: because\n", undefined, "plan-refused", "mgr install x failed: because"],
    ["what tells no more than its line", "plan x\n", undefined, "plan-refused", "mgr install x failed: plan x"],
    ["what tells all, whatever it is", "E: x\nall: of it\n", 1, "install-failed", "mgr install x failed with status 1: of it"],
    ["what has a message of its own", "gone\n", 9, "download-failed", "all of it is gone"],
    ["what has such a message for other cases", "gone\n", 8, "download-failed", "mgr install x failed with status 8: gone"],
  ])("%s", (_title, output, status, code, message) => {
    expect(told(output, status)).toMatchObject({ code, message });
  });

  test("comes with the hint of its row, else with what shows it by hand", () => {
    expect(told("lock held\n").hint).toBe("wait");
    expect(told("disk full\n").hint).toBe("look at mgr install x");
    expect(told("E: x\n").hint).toBe("see what it says by hand: `sudo mgr install x`");
  });

  test("without a status is not taken for a row that names one", () => {
    const none: FailureTable = { ...table, readings: [{ status: 0, code: "not-offered" }] };
    expect(faultIn(none, { output: "E: x" }, call).code).toBe("install-failed");
  });

  test("is a script that was ended by somebody, where a manager says so", () => {
    expect(told("scriptlet failed, signal 9\n").code).toBe("interrupted");
  });
});

describe("why a package manager failed", () => {
  const without: FailureTable = {
    readings: [{ says: /^known/, code: "no-space" }],
    errors: /^E: /,
    longestLine: 10,
    mostLines: 3,
  };
  test.each<[title: string, of: FailureTable, lines: readonly string[], why: string]>([
    ["the lines that were understood", without, ["known a", "x", "known b", "known c", "known d"], "known a; known b; known c"],
    ["the last lines that look like errors", without, ["E: 1", "x", "E: 2", "E: 3", "E: 4", "y"], "E: 2; E: 3; E: 4"],
    ["the last lines, where none does", without, ["1", "2", "", "  ", "3", "4", "\t"], "2; 3; 4"],
    ["each of them once", without, ["E: 1", "E: 1", "E: 2"], "E: 1; E: 2"],
    [
      "ten characters of each",
      without,
      [`E: ${"x".repeat(7)}`, `E: ${"y".repeat(8)}`],
      `E: ${"x".repeat(7)}; E: ${"y".repeat(7)}…`,
    ],
    ["not what tidying leaves empty", table, ["1", "- "], "1"],
    [
      "what comes before them",
      { ...table, readings: without.readings },
      ["known a", "known b", "known c"],
      "several; known a; known b",
    ],
    ["nothing before a single one", { ...table, readings: without.readings }, ["known a"], "known a"],
  ])("is told by %s", (_title, of, lines, why) => {
    expect(whyIn(of, lines.join("\n"))).toBe(why);
  });

  test("is tidied, and no more lines than can be told", () => {
    expect(tellLines(table, ["- 1", "- 2", "- 3", "- 4"])).toBe("1; 2; 3");
    expect(tellLines(without, [" 1 ", "- 2"])).toBe("1; - 2");
  });
});

describe("who keeps a package manager busy", () => {
  const busy = new Fault("manager-busy", { message: "busy", hint: "wait" });
  test("is named with what it holds", () => {
    expect(heldBy("apt", { pid: 12, program: "apt-get" })).toBe("apt is locked. It is held by process 12 (apt-get)");
    expect(heldBy("apt", { pid: 12, program: undefined })).toBe("apt is locked. It is held by process 12");
    const named = namingHolder(busy, { pid: 12, program: "x" }, "rpm's database");
    expect(named).toMatchObject({
      code: "manager-busy",
      message: "rpm's database is locked. It is held by process 12 (x)",
      hint: "wait",
      cause: busy,
    });
  });

  test("is not named in another fault, or where it is not known", () => {
    const full = new Fault("no-space", { message: "full", hint: "" });
    expect(namingHolder(full, { pid: 1, program: "x" }, "apt")).toBe(full);
    expect(namingHolder(busy, undefined, "apt")).toBe(busy);
  });
});
