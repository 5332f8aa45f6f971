import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { scriptsIn, watchLog, withScripts } from "../../../../src/updater/package/rpm/scripts.ts";
import { scratchFolder } from "../../../machine/files/scratch.ts";

const path = `${scratchFolder()}/log`;

describe("a log that is watched", () => {
  test("says what was added to it since, again and again", () => {
    writeFileSync(path, "before\n");
    const added = watchLog(path);
    expect(added()).toBe("");
    appendFileSync(path, "one\n");
    expect(added()).toBe("one\n");
    appendFileSync(path, "two\n");
    expect(added()).toBe("one\ntwo\n");
  });

  test("says all of it where it came only now, or was begun again", () => {
    rmSync(path, { force: true });
    const added = watchLog(path);
    writeFileSync(path, "first\n");
    expect(added()).toBe("first\n");
    writeFileSync(path, "a long line of a day that is over\n");
    const afterwards = watchLog(path);
    writeFileSync(path, "anew\n");
    expect(afterwards()).toBe("anew\n");
  });

  test("says nothing where there is none, or no file", () => {
    rmSync(path, { force: true });
    expect(watchLog(path)()).toBe("");
    mkdirSync(path);
    expect(watchLog(path)()).toBe("");
    rmSync(path, { recursive: true });
  });
});

describe("the output of a call", () => {
  const ended = { status: 0, stdout: "Upgraded:\n", output: "Upgraded:\n" };

  test("is what it was where they printed nothing", () => {
    expect(withScripts(ended, [])).toBe(ended);
    expect(scriptsIn(ended.output)).toEqual([]);
  });
});
