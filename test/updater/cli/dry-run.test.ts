import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { instant, makeRoot, missingForRoots, program, versionsOfFile, type Root } from "./given.ts";

const missing = missingForRoots();

const available = "an upgrade is available (15.4.5 -> 15.4.6)\n";

const versions = await versionsOfFile();

function host(installed?: string): Root {
  const root = makeRoot(installed);
  root.lists("15.4.5", "15.4.6");
  root.write("etc/svc-upgrade/10-test.yaml", `endpoint: ${versions.url}\n`);
  return root;
}

describe.skipIf(missing !== undefined)("a dry run", () => {
  test.each([
    ["v15.4.6", available, 100],
    ["  15.4.6\r\n", available, 100],
  ])("answers %j with its line and nothing else, and with its status when asked for one", async (version, line, status) => {
    versions.serve({ version });
    const { path } = host("15.4.5");
    const [plain, exact] = await Promise.all([
      program(["dry-run", "--root", path]),
      program(["dry-run", "--exit-code", "--root", path]),
    ]);
    expect([plain.stdout, plain.status]).toEqual([line, 0]);
    expect([exact.stdout, exact.status]).toEqual([line, status]);
  });

  test("foresees, before a pass does, what no repository offers", async () => {
    const why =
      "no repository of this host offers svc-ent 15.4.6; they offer 15.4.5, by the package lists as they are here; a pass fetches them again first; `sudo chroot ";
    const simulated = { kind: "refused", fault: { code: "not-offered" }, listsAt: expect.stringMatching(/Z$/) };
    versions.serve({ version: "v15.4.6" });
    const root = host("15.4.5");
    root.lists("15.4.5");
    root.schedule("open");
    const { status, stdout, stderr } = await program(["dry-run", "--exit-code", "--root", root.path]);
    expect([status, stdout]).toEqual([100, available]);
    expect(stderr).toContain(`an upgrade is available (15.4.5 -> 15.4.6), a pass could not upgrade now: ${why}`);
    expect(stderr).not.toContain("the maintenance window is open");
    const json = await program(["dry-run", "--json", "--root", root.path]);
    expect(JSON.parse(json.stdout)).toMatchObject({ decision: { kind: "move" }, simulated });
    root.schedule("closed");
    const closed = await program(["dry-run", "--root", root.path]);
    expect(closed.stderr).toContain(`; as things are, it could not be done then either: ${why}`);
    // What is kept back for good is nobody's prospect.
    root.write("etc/svc-upgrade/20.yaml", "hold: {}\n");
    const held = await program(["dry-run", "--json", "--root", root.path]);
    expect(JSON.parse(held.stdout)).not.toHaveProperty("simulated");
  });

  test("answers in one JSON shape", async () => {
    versions.serve({ version: "v15.4.6" });
    const root = host("15.4.5");
    const { start: opens } = root.schedule("closed");
    const { stdout, status } = await program([
      "dry-run",
      "--json",
      "--exit-code",
      "--channel",
      "stable/cloud",
      "--root",
      root.path,
    ]);
    expect(status).toBe(100);
    expect(stdout.endsWith("\n")).toBe(true);
    expect(JSON.parse(stdout)).toEqual({
      schema: 1,
      installed: "15.4.5",
      served: "15.4.6",
      channel: "stable/cloud",
      available: true,
      decision: {
        kind: "stay",
        why: "outside-window",
        told: `outside the maintenance window, the next one opens at ${instant(opens)}`,
        until: instant(opens),
        lift: "svc-upgrade run --now",
      },
      simulated: { kind: "possible", listsAt: expect.stringMatching(/Z$/) },
    });
    expect(versions.asked.at(-1)).toContain("/channel/stable/cloud/");
  });

  test("without an endpoint leaves stdout empty, or has the fault there in JSON", async () => {
    versions.serve({ version: "v15.4.6" });
    const root = host("15.4.5");
    root.write("etc/svc-upgrade/10-test.yaml", "");
    const [plain, json] = await Promise.all([
      program(["dry-run", "--exit-code", "--root", root.path]),
      program(["dry-run", "--json", "--root", root.path]),
    ]);
    expect([plain.status, plain.stdout]).toEqual([78, ""]);
    expect(plain.stderr).toMatch(/^[^\n]+; [^\n]+ fault=endpoint-missing( cause=[^\n]*)?\n$/);
    expect(json.status).toBe(78);
    const fault = { code: "endpoint-missing", message: expect.any(String), hint: expect.any(String) };
    expect(JSON.parse(json.stdout)).toEqual({ schema: 1, fault });
  });

  test("writes its log as JSON when told so by flag or environment, a fault of the command line too", async () => {
    versions.serve({ version: "v15.4.5" });
    const root = host("15.4.5");
    root.schedule("closed");
    const { path } = root;
    const lines = await Promise.all([
      program(["dry-run", "--log-format", "json", "--root", path]),
      program(["dry-run", "--root", path], { env: { SVC_UPGRADE_LOG_FORMAT: "json" } }),
      program(["dry-run", "--log-format", "json", "--root", "/proc/nowhere"]),
      program(["dry-run", "--log-format=json", "--jsno"]),
    ]);
    const said = lines.map(({ stderr }): unknown => JSON.parse(stderr));
    const current = { level: "info", channel: "default", msg: "no upgrades available (15.4.5 == 15.4.5)" };
    expect(said).toMatchObject([current, current, { level: "error", fault: "usage" }, { level: "error", fault: "usage" }]);
  });

  test("logs from the level that was asked for: the flag before the environment", async () => {
    versions.serve({ version: "v15.4.6" });
    const { path } = host("15.4.5");
    const line = expect.stringContaining("no valid schedule: the file is missing");
    const rows = [
      [["--log-level", "error"], {}, ""],
      [["--log-level", "warning"], {}, line],
      [[], { SVC_UPGRADE_LOG_LEVEL: "error" }, ""],
      [["--log-level", "info"], { SVC_UPGRADE_LOG_LEVEL: "error" }, line],
    ] as const;
    for (const [flags, env, said] of rows) {
      const { stderr, stdout } = await program(["dry-run", ...flags, "--root", path], { env });
      expect([stdout, stderr]).toEqual([available, said]);
    }
  });

  test("leaves out a state that it cannot make sense of, says so, and changes nothing", async () => {
    versions.serve({ version: "v15.4.6" });
    const root = host("15.4.5");
    root.write("var/lib/svc-upgrade-decide/state.json", "{ not json");
    const before = listing(root.path);
    const { stdout, stderr } = await program(["dry-run", "--root", root.path]);
    expect(stdout).toBe(available);
    expect(stderr).toContain("the state of earlier passes is unreadable and is left out");
    expect(listing(root.path)).toEqual(before);
  });
});

function listing(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();
  return files.map((file) => {
    const { size, mtimeMs } = statSync(join(folder, file));
    return `${file} ${size} ${mtimeMs}`;
  });
}
