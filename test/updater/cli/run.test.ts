import { describe, expect, test } from "vitest";
import { longestWholeMs } from "../../../src/machine/network/request.ts";
import { encodeState } from "../../../src/updater/record/encode-state.ts";
import { emptyLedger, encodeLedger } from "../../../src/updater/record/ledger.ts";
import { packageVersion, stateWith, version } from "../pass/given.ts";
import { makeRoot, missingForRoots, never, program, start, versionsWithPackages, type Ended, type Root } from "./given.ts";

const missing = missingForRoots();

const versions = await versionsWithPackages();

function host(installed?: string): Root {
  const root = makeRoot(installed);
  root.write("etc/svc-upgrade/10-test.yaml", `endpoint: ${versions.url}\n`);
  root.write("etc/apt/sources.list.d/test.list", `deb [trusted=yes] ${versions.url}/packages ./\n`);
  versions.serve({ version: "v15.4.6" });
  return root;
}

function run(root: Root, ...args: readonly string[]): Promise<Ended> {
  return program(["run", ...args, "--root", root.path]);
}

function state(root: Root): { readonly passes: readonly object[]; readonly [key: string]: unknown } {
  return JSON.parse(root.read("var/lib/svc-upgrade-decide/state.json"));
}

describe.skipIf(missing !== undefined)("a run below another root", () => {
  test("moves in the window with the real apt and dpkg, records it, and has nothing to do the second time", async () => {
    const root = host("15.4.5");
    root.schedule("open");
    const moved = await run(root);
    expect([moved.status, moved.stdout]).toEqual([0, "upgraded (15.4.5 -> 15.4.6)\n"]);
    expect(moved.stderr.trimEnd().split("\n")).toEqual([
      expect.stringContaining(", upgrading now: the maintenance window is open until "),
      expect.stringMatching(
        /^upgraded svc-ent from 15\.4\.5 to 15\.4\.6; its unit was left alone, as always below another root seconds=\d+$/,
      ),
    ]);
    expect(root.read("usr/bin/svc")).toContain("v15.4.6");
    expect(root.read("var/lib/dpkg/status")).toContain("Version: 15.4.6");
    const again = await run(root, "--json");
    expect(again.status).toBe(0);
    expect(JSON.parse(again.stdout)).toEqual({
      schema: 1,
      installed: "15.4.6",
      served: "15.4.6",
      channel: "default",
      available: false,
      decision: { kind: "stay", why: "current", told: expect.any(String), lift: expect.any(String) },
      outcome: { kind: "stayed" },
    });
    expect(again.stderr).toBe("no upgrades available (15.4.6 == 15.4.6) channel=default\n");
    const { passes, step } = state(root);
    expect(step).toBeUndefined();
    expect(passes).toMatchObject([{ outcome: { kind: "stayed" } }, { outcome: { kind: "moved", from: "15.4.5", to: "15.4.6" } }]);
  });

  test("installs the agent only when told so", async () => {
    const root = host();
    const refused = await run(root, "--now");
    expect([refused.status, refused.stdout]).toEqual([69, ""]);
    expect(refused.stderr).toContain(`svc-upgrade run --root ${root.path} --now --install`);
    const done = await run(root, "--now", "--install");
    expect([done.status, done.stdout]).toEqual([0, "installed (15.4.6)\n"]);
  });

  test("that fails leaves stdout empty, tells the fault, records the step, and waits before the next try", async () => {
    const root = host("15.4.5");
    root.schedule("open");
    versions.serve({ version: "15.4.7" });
    const { status, stdout, stderr } = await run(root);
    expect([status, stdout]).toEqual([75, ""]);
    expect(stderr).toMatch(/offers svc-ent 15\.4\.7; they offer 15\.4\.8, 15\.4\.6, 15\.4\.5.* fault=not-offered/);
    expect(state(root).passes).toMatchObject([{ outcome: { kind: "failed", step: "offer", fault: { code: "not-offered" } } }]);
    const json = await run(root, "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({ decision: { why: "backing-off", until: expect.any(String) } });
    expect(JSON.parse((await run(root, "--json", "--now")).stdout)).toMatchObject({ schema: 1, fault: { code: "not-offered" } });
  });

  test("yields to another that is under way, and names it", async () => {
    const root = host("15.4.5");
    const answer = Promise.withResolvers<void>();
    versions.serve({ version: "15.4.5", after: answer.promise });
    const asked = versions.nextAsked();
    const first = start(["run", "--root", root.path]);
    await asked;
    const second = await run(root, "--now");
    expect([second.status, second.stdout]).toEqual([75, ""]);
    expect(second.stderr).toMatch(/^another pass is running \(process \d+, pass [0-9a-f-]+\); .* fault=busy\n$/);
    answer.resolve();
    expect((await first.ended).status).toBe(0);
    expect(state(root).passes).toHaveLength(1);
  });

  test("that is asked to stop ends soon, with a record and nothing changed", async () => {
    const root = host("15.4.5");
    root.schedule("open");
    versions.serve({ version: "15.4.6", after: never });
    const asked = versions.nextAsked();
    const pass = start(["run", "--root", root.path]);
    await asked;
    const from = performance.now();
    pass.signal("SIGTERM");
    const { status, stdout } = await pass.ended;
    // No answer comes: what does not obey waits for its own deadline.
    expect(performance.now() - from).toBeLessThan(longestWholeMs / 2);
    expect([status, stdout]).toEqual([75, ""]);
    expect(state(root).passes).toMatchObject([{ outcome: { kind: "stopped", fault: { code: "stopping" } } }]);
    expect(root.read("var/lib/dpkg/status")).toContain("Version: 15.4.5");
  });

  test("takes a version back whose package script fails, with the real apt and dpkg, and does not try it again", async () => {
    const root = host("15.4.5");
    root.schedule("open");
    versions.serve({ version: "15.4.8" });
    const { status, stdout, stderr } = await run(root);
    expect([status, stdout]).toEqual([10, "failed at the step install (install-failed), rolled back to 15.4.5\n"]);
    expect(stderr).toContain("fault=install-failed");
    expect(root.read("var/lib/dpkg/status")).toMatch(/Status: install ok installed\n(?:.*\n)*Version: 15\.4\.5\n/);
    expect(root.read("usr/bin/svc")).toContain("v15.4.5");
    const record = { kind: "undone", left: "15.4.8", to: "15.4.5", step: "install", fault: { code: "install-failed" } };
    expect(state(root)).toMatchObject({ passes: [{ outcome: record }], rejected: [{ packageVersion: "15.4.8" }] });
    expect(state(root)["needsOperator"]).toBeUndefined();
    const again = await run(root, "--now");
    expect([again.status, again.stdout]).toEqual([0, expect.stringContaining("not now: 15.4.8 was rejected here on ")]);
    versions.serve({ version: "15.4.6" });
    expect((await run(root)).stdout).toBe("upgraded (15.4.5 -> 15.4.6)\n");
  });
});

describe.skipIf(missing !== undefined)("a rollback below another root", () => {
  const rollback = (root: Root, ...args: readonly string[]): Promise<Ended> =>
    program(["rollback", ...args, "--root", root.path]);

  /** What a move from 15.4.5 leaves to both units. */
  function leaveMoved(root: Root): void {
    const left = packageVersion("15.4.5");
    const previous = { version: version("15.4.5"), packageVersion: left, leftAt: 1 };
    root.write("var/lib/svc-upgrade-decide/state.json", encodeState(stateWith({ previous })));
    root.write("var/lib/svc-upgrade/ledger.json", encodeLedger({ ...emptyLedger, previous: left }));
  }

  test("goes back with the real apt and dpkg whatever the channel says, and keeps the next run from going forth", async () => {
    const root = host("15.4.5");
    root.schedule("closed");
    expect((await run(root, "--now")).stdout).toBe("upgraded (15.4.5 -> 15.4.6)\n");
    versions.serve({ version: "no channel today", status: 500 });
    const questions = (): number => versions.asked.filter((path) => path.includes("/channel/")).length;
    const before = questions();
    const { status, stdout, stderr } = await rollback(root);
    expect([status, stdout, questions()]).toEqual([0, "downgraded (15.4.6 -> 15.4.5)\n", before]);
    expect(stderr).toMatch(
      /^downgrading now: a rollback was asked for channel=default why=rollback\ndowngraded svc-ent from 15\.4\.6 to 15\.4\.5; /,
    );
    expect(root.read("usr/bin/svc")).toContain("v15.4.5");
    versions.serve({ version: "15.4.6" });
    const next = await run(root, "--now");
    expect(next.stdout).toMatch(
      / -> 15\.4\.6\), not now: 15\.4\.6 was rejected here on .*: an administrator went back from it; lifted by: .+\n$/,
    );

    const again = await rollback(root);
    expect([again.status, again.stdout]).toEqual([69, ""]);
    expect(again.stderr).toContain("there is no version to roll back to");
    const below = `--root ${root.path}`;
    expect(again.stderr).toContain(`\`svc-upgrade retry ${below}\`, then \`svc-upgrade run ${below} --now\` fault=no-way-back\n`);

    expect((await program(["retry", "v15.4.6", "--root", root.path])).stdout).toContain("cleared: 15.4.6 was rejected");
    expect((await run(root, "--now")).stdout).toBe("upgraded (15.4.5 -> 15.4.6)\n");
  });

  test("answers in JSON, with nothing served: nobody was asked", async () => {
    const root = host("15.4.6");
    leaveMoved(root);
    const { status, stdout } = await rollback(root, "--json");
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      schema: 1,
      installed: "15.4.6",
      served: null,
      channel: "default",
      available: false,
      decision: { kind: "move", why: "rollback", told: expect.any(String), target: { kind: "downgrade", to: "15.4.5" } },
      outcome: { kind: "moved", from: "15.4.6", to: "15.4.5", seconds: expect.any(Number) },
    });
  });
});
