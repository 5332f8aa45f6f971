import { describe, expect, test } from "vitest";
import { makeRoot, program } from "./given.ts";

const here = { behind: [] };

describe("a command line that cannot be understood", () => {
  test.each([
    [["dry-rnu"], "unknown command 'dry-rnu'", "Did you mean dry-run?"],
    // What is asked of no channel takes none.
    [["rollback", "--channel", "x"], "unknown option '--channel'", ""],
    [
      ["run", "--log-level", "loud"],
      "argument 'loud' is invalid. Allowed choices are debug",
      "svc-upgrade run --help shows what it takes",
    ],
    [["dry-run", "--root", ""], '--root "" cannot be worked on: it is empty', "without --root this machine is meant"],
    [["run", "--root", "/proc/nowhere/at/all"], '--root "/proc/nowhere/at/all" cannot be worked on: no such file', "etc and var"],
    // The unit's own commands work on this machine alone, and must not be told otherwise without complaint.
    [["pass", "--root", "/tmp"], "unknown option '--root'", ""],
  ])("ends %j with 64, one line and a hint", async (args, message, hint) => {
    const { status, stdout, stderr } = await program(args, here);
    expect(status).toBe(64);
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
    expect(stderr).toMatch(/^[^\n]*; [^\n]* fault=usage\n$/);
    if (!args.includes("--json")) expect(stdout).toBe("");
  });

  test.each([
    [["--root", "ROOT", "config", "--json"]],
    [["--json", "--root=ROOT", "config"]],
    [["--log-format", "json", "--json", "--log-level=error", "config", "--root", "ROOT"]],
    [["--channel", "default", "--json", "config", "--root", "ROOT"]],
  ])("may have what commands share before the command: %j", async (args) => {
    const { path } = makeRoot();
    const placed = args.map((word) => word.replace("ROOT", path));
    const [before, after] = await Promise.all([program(placed), program(["config", "--json", "--root", path])]);
    const keys = (text: string): readonly string[] => Object.keys((JSON.parse(text) as { settings: object }).settings);
    expect([before.status, before.stderr, keys(before.stdout)]).toEqual([0, "", keys(after.stdout)]);
    const help = await program(["--json", "--help"]);
    expect(help).toEqual(await program(["--help"]));
    expect((await program(["--json", "--version"])).stdout).toMatch(/^\{"schema":1,"version":/);
  });

  test("is a fault in JSON where JSON was asked for", async () => {
    const { status, stdout } = await program(["dry-run", "--json", "--chanel", "x"], here);
    expect(status).toBe(64);
    expect(JSON.parse(stdout)).toEqual({
      schema: 1,
      fault: { code: "usage", message: "unknown option '--chanel'", hint: "Did you mean --channel?" },
    });
  });
});

describe("help", () => {
  const listed =
    "status|history|doctor|dry-run|run|hold, unhold|pin, unpin|retry|rollback|schedule|route|config|notify|enroll, unenroll|version".split(
      "|",
    );
  const commands = listed.flatMap((names) => names.split(", "));

  function expectSmall(text: string): void {
    const lines = text.trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  }

  test("fits a small terminal, shows the commands in the order of their use, and not those of the units", async () => {
    const { status, stdout, stderr } = await program(["--help"], here);
    expect([status, stderr]).toEqual([0, ""]);
    expectSmall(stdout);
    expect([...stdout.matchAll(/^ {2}(\S+(?:, \S+)?) {2,}\S/gm)].map(([, name]) => name)).toEqual(listed);
  });

  test.each(commands)("of %s fits a small terminal, with examples that can be typed", async (name) => {
    const { status, stdout, stderr } = await program([name, "--help"], here);
    expect([status, stderr]).toEqual([0, ""]);
    expectSmall(stdout);
    expect(stdout).toMatch(new RegExp(`^Usage: svc-upgrade ${name} `));
    expect(stdout).toMatch(new RegExp(`\nExamples:\n  (sudo )?svc-upgrade ${name}`));
  });
});

describe("version", () => {
  test.each([[["version"]], [["--version"]]])("is said for %j", async (args) => {
    const { status, stdout, stderr } = await program(args, here);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^svc-upgrade \d+\.\d+\.\d+\S*\n$/);
  });

  test("is said in JSON", async () => {
    const { stdout } = await program(["version", "--json"], here);
    expect(JSON.parse(stdout)).toEqual({ schema: 1, version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
  });
});

describe("config", () => {
  test("prints every setting with its origin", async () => {
    const root = makeRoot();
    root.write("usr/lib/svc-upgrade/00-vendor.yaml", "channel: vendor\nmajor: one-step\n");
    root.write("etc/svc-upgrade/10-site.yaml", "channel: stable/cloud\nendpoint: https://proxy.example.com\n");
    const args = ["config", "--endpoint", "https://flag.example.com", "--root", root.path];
    const env = { SVC_UPGRADE_WINDOW_UTC_START_HOUR: "3", SVC_UPGRADE_LOG_LEVEL: "debug" };
    const { status, stdout, stderr } = await program(args, { env });
    expect([status, stderr]).toEqual([0, ""]);
    const rows = stdout.trimEnd().split("\n");
    expect(new Set(rows.map((row) => row.indexOf("  # "))).size).toBeGreaterThan(0);
    const said = new Map(rows.map((row) => row.split(/\s+# /) as [string, string]));
    expect(Object.fromEntries(said)).toMatchObject({
      'endpoint: "https://flag.example.com"': "--endpoint",
      'channel: "stable/cloud"': `${root.path}/etc/svc-upgrade/10-site.yaml`,
      'major: "one-step"': `${root.path}/usr/lib/svc-upgrade/00-vendor.yaml`,
      "window.utc_start_hour: 3": "SVC_UPGRADE_WINDOW_UTC_START_HOUR",
      'agent.version_command: ["svc","version"]': "built-in",
      'downgrade: "refuse"': "built-in",
      "ca_file: ~": "built-in",
    });
    const json = await program([...args, "--json"], { env });
    const { schema, settings } = JSON.parse(json.stdout) as { schema: number; settings: readonly { key: string }[] };
    expect(schema).toBe(1);
    expect(settings).toHaveLength(rows.length);
    expect(settings).toContainEqual({ key: "endpoint", value: "https://flag.example.com", origin: "--endpoint" });
    expect(settings).toContainEqual({ key: "ca_file", value: null, origin: "built-in" });
  });

  test("tells all faults of all sources at once", async () => {
    const root = makeRoot();
    root.write("etc/svc-upgrade/10-site.yaml", "chanel: x\nmajor: some\n");
    root.write("etc/svc-upgrade/20-broken.yaml", "endpoint: [\n");
    const { status, stdout, stderr } = await program(["config", "--channel", "a b", "--root", root.path], {
      env: { SVC_UPGRADE_HOLDZ: "override" },
    });
    expect([status, stdout]).toEqual([78, ""]);
    for (const word of [
      "5 settings are wrong",
      `${root.path}/etc/svc-upgrade/10-site.yaml: chanel: unknown key, did you mean channel?`,
      'major: "some" (allowed: any or one-step)',
      "20-broken.yaml: line 2",
      "SVC_UPGRADE_HOLDZ: unknown variable, did you mean SVC_UPGRADE_HOLDS?",
      '--channel: channel: "a b"',
    ]) {
      expect(stderr).toContain(word);
    }
  });
});
