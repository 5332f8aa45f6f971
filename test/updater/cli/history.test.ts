import { execFileSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { encodeState } from "../../../src/updater/record/encode-state.ts";
import { emptyState } from "../../../src/updater/record/state.ts";
import { moved, pass, upgrade } from "../record/given.ts";
import { isWhole } from "../../whole.ts";
import { makeRoot, missingForRoots, program, start, versionsWithPackages, type Root } from "./given.ts";

const missing = missingForRoots();

const file = "var/lib/svc-upgrade-decide/history.json";
const stateFile = "var/lib/svc-upgrade-decide/state.json";
const versions = await versionsWithPackages();

function host(): Root {
  const root = makeRoot("15.4.5");
  root.write("etc/svc-upgrade/10-test.yaml", `endpoint: ${versions.url}\n`);
  root.write("etc/apt/sources.list.d/test.list", `deb [trusted=yes] ${versions.url}/packages ./\n`);
  return root;
}

async function movesOn(root: Root): Promise<readonly Record<string, unknown>[]> {
  const { status, stdout, stderr } = await program(["history", "--json", "--root", root.path]);
  expect([status, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout).moves;
}

describe.skipIf(missing !== undefined)("history", () => {
  test("tells the moves by hand, a rollback and what failed; and nothing else has to do with its file", async () => {
    const root = host();
    const run = (...args: readonly string[]) => program([...args, "--root", root.path]);
    versions.serve({ version: "v15.4.5" });
    await run("run");
    root.schedule("closed");
    versions.serve({ version: "v15.4.6" });
    for (const args of [["run"], ["hold"], ["unhold"], ["retry"]]) await run(...args);
    expect(existsSync(`${root.path}/${file}`)).toBe(false);
    await run("run", "--now");
    expect(statSync(`${root.path}/${file}`).mode & 0o777).toBe(0o644);
    const { ino } = statSync(`${root.path}/${file}`);
    await run("run");
    expect(statSync(`${root.path}/${file}`).ino).toBe(ino);
    await run("rollback");
    versions.serve({ version: "v15.4.8" });
    await run("run", "--now");
    await run("run", "--now");
    expect(await movesOn(root)).toMatchObject([
      { why: "asked", version: "15.4.8", outcome: { step: "install" }, fault: { code: "install-failed" } },
      { why: "rollback", movement: "downgrade", version: "15.4.5", outcome: { kind: "moved" }, count: 1 },
      { why: "asked", movement: "upgrade", from: "15.4.5", version: "15.4.6", outcome: { kind: "moved" } },
    ]);
    const { stdout } = await run("history");
    expect(stdout).toMatch(/^\w{3} \S+ \S+ \S+ {2}upgrade from 15\.4\.5\S* to 15\.4\.8/);
    expect(stdout).toContain("  rolled back by hand from 15.4.6");
    expect(stdout).toContain("  upgraded from 15.4.5");
    expect(Math.max(...stdout.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(80);
  });

  test("has the moves that the state remembers where nobody kept a history, as on a full disk", async () => {
    const root = host();
    versions.serve({ version: "v15.4.6" });
    const { record } = pass(upgrade, moved);
    root.write(stateFile, encodeState({ ...emptyState, passes: [{ ...record, id: "of-before" }] }));
    expect(await movesOn(root)).toMatchObject([{ id: "of-before", outcome: { kind: "moved" } }]);
    expect(existsSync(`${root.path}/${file}`)).toBe(false);
    await program(["run", "--now", "--root", root.path]);
    expect(await movesOn(root)).toMatchObject([{ why: "asked" }, { id: "of-before" }]);
  });

  test("that cannot be read is told, and stops neither the command nor a pass", async () => {
    const root = host();
    versions.serve({ version: "v15.4.6" });
    root.write(file, "{ torn");
    const { stdout } = await program(["history", "--root", root.path]);
    expect(stdout).toMatch(/^not seen: the history cannot be read \(it is not JSON\), and the next move begins$/m);
    expect(stdout).not.toContain("Nothing");
    const { status, stderr } = await program(["run", "--now", "--root", root.path]);
    expect(status).toBe(0);
    expect(stderr).toMatch(/the history was unreadable \(it is not JSON\) and lies now at \S+\/history\.json\.unreadable-\d+/);
    expect(await movesOn(root)).toMatchObject([{ version: "15.4.6" }]);
    expect(execFileSync("ls", [`${root.path}/var/lib/svc-upgrade-decide`], { encoding: "utf8" })).toMatch(/unreadable/);
  });

  // The kill comes as soon as the history has the move, and most often before the state has it.
  test.each(isWhole ? [1, 2, 3] : [1])("has a killed pass's move once (%d)", async () => {
    const root = host();
    versions.serve({ version: "v15.4.6" });
    const killed = start(["run", "--now", "--root", root.path]);
    await vi.waitUntil(() => existsSync(`${root.path}/${file}`), { timeout: 60_000, interval: 1 });
    killed.signal("SIGKILL");
    await killed.ended;
    const [before] = await movesOn(root);
    await program(["run", "--root", root.path]);
    const moves = await movesOn(root);
    expect(moves).toHaveLength(1);
    expect(moves).toMatchObject([{ id: before?.["id"], version: "15.4.6", outcome: { kind: "moved" }, count: 1 }]);
  });
});
