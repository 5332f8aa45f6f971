import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { longestWholeMs } from "../../src/network/request.ts";
import { instant, makeRoot, missingForRoots, never, program, start, versionServer, type Root, type Versions } from "./given.ts";

const missing = missingForRoots();
if (missing !== undefined) console.warn(`SKIPPED: the tests of dry-run below a root of its own: ${missing}`);

const available = "an upgrade is available (15.4.5 -> 15.4.6)\n";

let versions: Versions;
beforeAll(async () => {
  versions = await versionServer();
});
afterAll(() => versions.close());

function host(installed?: string): Root {
  const root = makeRoot(installed);
  root.write("etc/svc-upgrade/10-test.yaml", `endpoint: ${versions.url}\n`);
  return root;
}

describe.skipIf(missing !== undefined)("a dry run", { timeout: 60_000 }, () => {
  test.each([
    ["v15.4.6", available, 100],
    ["15.4.6\n", available, 100],
    ["  15.4.6\r\n", available, 100],
    ["15.4.5", "no upgrades available (15.4.5 == 15.4.5)\n", 0],
    ["15.4.4", "no upgrades available (15.4.5 > 15.4.4)\n", 0],
    ["none", "no upgrades available (15.4.5, channel serves none)\n", 0],
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

  test("says in its log what a pass would do, why, and when", async () => {
    versions.serve({ version: "v15.4.6" });
    const root = host("15.4.5");
    const { stop } = root.schedule("open");
    expect((await program(["dry-run", "--root", root.path])).stderr).toBe(
      `an upgrade is available (15.4.5 -> 15.4.6), a pass would upgrade now: the maintenance window is open until ${instant(stop)} channel=default why=window\n`,
    );
    const closed = root.schedule("closed");
    expect((await program(["dry-run", "--root", root.path])).stderr).toBe(
      `an upgrade is available (15.4.5 -> 15.4.6), not now: outside the maintenance window, the next one opens at ${instant(closed.start)} channel=default why=outside-window until=${instant(closed.start)}\n`,
    );
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
    });
    expect(versions.asked.at(-1)).toContain("/channel/stable/cloud/");
  });

  test.each<readonly [string, (root: Root) => void, number, string]>([
    ["no endpoint", (root) => root.write("etc/svc-upgrade/10-test.yaml", ""), 78, "endpoint-missing"],
    ["a page instead of a version", () => versions.serve({ version: "<html>log in</html>" }), 65, "answer-invalid"],
    ["an unknown channel", () => versions.serve({ version: "not found", status: 404 }), 69, "channel-unknown"],
    ["no package", (root) => root.write("var/lib/dpkg/status", ""), 69, "package-absent"],
    ["a fragment that anybody may write", (root) => root.write("etc/svc-upgrade/20.yaml", "", 0o666), 78, "settings-untrusted"],
    [
      "a manager that is not known yet",
      (root) => root.write("etc/svc-upgrade/20.yaml", "manager: zypper\n"),
      78,
      "host-unsupported",
    ],
  ])("with %s leaves stdout empty, or has the fault there in JSON", async (_title, make, status, code) => {
    versions.serve({ version: "v15.4.6" });
    const root = host("15.4.5");
    make(root);
    const [plain, json] = await Promise.all([
      program(["dry-run", "--exit-code", "--root", root.path]),
      program(["dry-run", "--json", "--root", root.path]),
    ]);
    expect([plain.status, plain.stdout]).toEqual([status, ""]);
    expect(plain.stderr).toMatch(new RegExp(`^[^\\n]+; [^\\n]+ fault=${code}( cause=[^\\n]*)?\\n$`));
    expect(json.status).toBe(status);
    const fault = { code, message: expect.any(String), hint: expect.any(String) };
    expect(JSON.parse(json.stdout)).toEqual({ schema: 1, fault });
  });

  test("writes its log as JSON when told so by flag or environment, a fault of the command line too", async () => {
    versions.serve({ version: "v15.4.5" });
    const { path } = host("15.4.5");
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

  test("takes a setting from the flag before the environment before the file", async () => {
    versions.serve({ version: "v15.4.5" });
    const root = host("15.4.5");
    root.write("etc/svc-upgrade/10-test.yaml", `endpoint: ${versions.url}\nchannel: from/file\n`);
    const env = { SVC_UPGRADE_CHANNEL: "from/environment" };
    const rows = [
      [[], {}, "from/file"],
      [[], env, "from/environment"],
      [["--channel", "from/flag"], env, "from/flag"],
    ] as const;
    for (const [flags, variables, channel] of rows) {
      const { stdout } = await program(["dry-run", "--json", ...flags, "--root", root.path], { env: variables });
      expect(JSON.parse(stdout)).toMatchObject({ channel });
      expect(versions.asked.at(-1)).toContain(`/channel/${channel}/version`);
    }
  });

  test("takes the proxy from the agent's environment file, and rather from its own environment, in either case", async () => {
    const root = host("15.4.5");
    root.write("etc/svc-upgrade/10-test.yaml", "endpoint: http://other.test\nallow_plain_http: true\n");
    root.write("etc/default/svc", "HTTP_PROXY=ftp://in.file.test\n");
    const file = await program(["dry-run", "--root", root.path]);
    expect([file.status, file.stderr]).toEqual([78, expect.stringMatching(/HTTP_PROXY.*fault=proxy-invalid/)]);
    const own = await program(["dry-run", "--root", root.path], { env: { http_proxy: "ftp://own.test" } });
    expect([own.status, own.stderr]).toEqual([78, expect.stringMatching(/http_proxy.*fault=proxy-invalid/)]);
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

  test("ends soon when it is asked to, and says so", async () => {
    versions.serve({ version: "v15.4.6", after: never });
    const { path } = host("15.4.5");
    const asked = versions.nextAsked();
    const running = start(["dry-run", "--root", path]);
    await asked;
    const from = performance.now();
    running.signal("SIGTERM");
    const { status, stdout, stderr } = await running.ended;
    expect([status, stdout]).toEqual([75, ""]);
    expect(stderr).toContain("fault=stopping");
    // No answer comes: what does not obey waits for its own deadline.
    expect(performance.now() - from).toBeLessThan(longestWholeMs / 2);
  });
});

function listing(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();
  return files.map((file) => {
    const { size, mtimeMs } = statSync(join(folder, file));
    return `${file} ${size} ${mtimeMs}`;
  });
}
