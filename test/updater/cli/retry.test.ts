import { describe, expect, test } from "vitest";
import { pathsBelow } from "../../../src/machine/files/paths.ts";
import { encodeState } from "../../../src/updater/record/encode-state.ts";
import type { State } from "../../../src/updater/record/state.ts";
import { takeLock } from "../../../src/updater/store/lock.ts";
import { packageVersion, stateWith, version } from "../pass/given.ts";
import { makeRoot, program, type Ended, type Root } from "./given.ts";

function next({ path }: Root): string {
  return `the next pass decides again; for one at once: svc-upgrade run --root ${path} --now\n`;
}

function rejected(served: string, revision: string, why: string): State["rejected"][number] {
  return { served: version(served), packageVersion: packageVersion(`${served}-${revision}`), at: 1, why };
}

const ill = rejected("15.4.6", "1", "the agent did not come up");
const illAgain = rejected("15.4.6", "2", "the agent did not come up");
const left = rejected("15.4.7", "1", "an administrator went back from it");
const cause = { code: "not-offered", message: "nobody offers it", hint: "wait", causes: [] } as const;
const troubled = stateWith({
  needsOperator: { at: 1, why: "2 repairs did not mend it" },
  rejected: [ill, illAgain, left],
  backoff: { served: version("15.4.6"), cause, failures: 2, until: 2 },
  moveSeconds: [3],
});

function host(state: State): Root {
  const root = makeRoot();
  root.write("var/lib/svc-upgrade-decide/state.json", encodeState(state));
  return root;
}

function retry(root: Root, ...args: readonly string[]): Promise<Ended> {
  return program(["retry", ...args, "--root", root.path], { behind: [] });
}

function stateOf(root: Root): string {
  return root.read("var/lib/svc-upgrade-decide/state.json");
}

describe("retry", () => {
  test("forgets all that failed, says what that was, and when the next chance is", async () => {
    const root = host(troubled);
    expect(await retry(root)).toEqual({
      status: 0,
      stdout: `cleared: 2 repairs did not mend it; 15.4.6-1 was rejected: the agent did not come up; 15.4.6-2 was rejected: the agent did not come up; 15.4.7-1 was rejected: an administrator went back from it; waiting after: nobody offers it; ${next(root)}`,
      stderr: "",
    });
    expect(stateOf(root)).toBe(encodeState(stateWith({ moveSeconds: [3] })));
  });

  test("says so where nothing was held back", async () => {
    const root = makeRoot();
    expect(await retry(root)).toEqual({ status: 0, stdout: `nothing was held back; ${next(root)}`, stderr: "" });
    expect(JSON.parse((await retry(root, "--json")).stdout)).toEqual({ schema: 1, cleared: [] });
  });

  test.each(["15.4.6", "v15.4.6"])(
    "of %s forgets the rejections of that version alone, and says what else stays",
    async (text) => {
      const root = host(troubled);
      const { status, stdout } = await retry(root, text);
      expect(status).toBe(0);
      expect(stdout).toBe(
        `cleared: 15.4.6-1 was rejected: the agent did not come up; 15.4.6-2 was rejected: the agent did not come up; left as it is: 2 repairs did not mend it; 15.4.7-1 was rejected: an administrator went back from it; waiting after: nobody offers it; ${next(root)}`,
      );
      expect(stateOf(root)).toBe(encodeState({ ...troubled, rejected: [left] }));
    },
  );

  test.each<[string, State, string, string]>([
    ["15.4.5", troubled, "15.4.5 is not rejected here; rejected: 15.4.6, 15.4.7", "svc-upgrade retry --root DIR 15.4.6"],
    ["15.4.6", stateWith({}), "15.4.6 is not rejected here; no version is", "svc-upgrade status"],
    ["15.4", troubled, '"15.4" is not a version', "svc-upgrade retry --root DIR 15.4.6"],
  ])("of %j, which was never rejected, is a slip of the pen and changes nothing", async (text, state, message, hint) => {
    const root = host(state);
    const { status, stdout, stderr } = await retry(root, text);
    expect([status, stdout]).toEqual([64, ""]);
    expect(stderr).toContain(`${message}; `);
    expect(stderr).toContain(hint.replace("DIR", root.path));
    expect(stderr).toMatch(/ fault=usage\n$/);
    expect(stateOf(root)).toBe(encodeState(state));
    const json = await retry(root, text, "--json");
    expect([json.status, JSON.parse(json.stdout)]).toMatchObject([64, { schema: 1, fault: { code: "usage", message } }]);
  });

  test("yields to a pass that is running", async () => {
    const root = host(troubled);
    const lock = takeLock(pathsBelow(root.path), "pass p");
    if (lock.kind !== "held") throw new Error("the lock is free");
    try {
      const { status, stderr } = await retry(root);
      expect(status).toBe(75);
      expect(stderr).toContain("another pass is running");
    } finally {
      lock.release();
    }
    expect(stateOf(root)).toBe(encodeState(troubled));
  });

  test("is the person that an unreadable state asks for", async () => {
    const root = makeRoot();
    root.write("var/lib/svc-upgrade-decide/state.json", "{ not json");
    const { status, stdout } = await retry(root);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^cleared: the state file was unreadable \(it is not JSON\) and lies now at /);
    expect(stateOf(root)).toBe(encodeState(stateWith({})));
  });
});
