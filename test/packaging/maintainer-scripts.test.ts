import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const folder = join(import.meta.dirname, "../../packaging/deb");
const scripts = ["preinst", "postinst", "prerm", "postrm"] as const;

test.skipIf(spawnSync("shellcheck", ["--version"]).error !== undefined).each(scripts)(
  "shellcheck finds nothing in %s",
  (name) => {
    const { stdout, status } = spawnSync("shellcheck", ["--shell=sh", join(folder, name)], { encoding: "utf8" });
    expect(stdout).toBe("");
    expect(status).toBe(0);
  },
);

test.each(scripts)("%s stops at the first command that fails", (name) => {
  expect(readFileSync(join(folder, name), "utf8")).toMatch(/^#!\/bin\/sh\nset -e\n/);
});

describe("with a stand-in for systemctl", () => {
  let place = "";
  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), "svc-upgrade-scripts-"));
  });
  afterEach(() => rmSync(place, { recursive: true }));

  test.each([
    { when: "at the first installation", argv: ["configure", ""], presets: true },
    { when: "at an upgrade", argv: ["configure", "0.0.9"], presets: false },
    { when: "after an installation that failed", argv: ["abort-upgrade", "0.0.9"], presets: false },
  ])("postinst applies the preset $when: $presets", ({ argv, presets }) => {
    const { status } = run("postinst", argv, 'echo "$@" >>"$0.log"\n');
    expect(status).toBe(0);
    expect(calls().includes("preset --quiet svc-upgrade.timer\n")).toBe(presets);
  });

  test.each([{ argv: ["upgrade", "0.1.0", "0.2.0"] }, { argv: ["failed-upgrade", "0.1.0"] }, { argv: ["deconfigure"] }])(
    "prerm leaves the timer alone when it is called with $argv",
    ({ argv }) => {
      expect(run("prerm", argv, 'echo "$@" >>"$0.log"\n').status).toBe(0);
      expect(calls()).toBe("");
    },
  );

  test.each([
    { told: "systemd 246 (246.6-1)", status: 1 },
    { told: "systemd 247 (247.3-7)", status: 0 },
    { told: "systemd 257 (257.8-1~deb13u2)", status: 0 },
    { told: "something else", status: 1 },
  ])("preinst ends with $status where systemctl tells $told", ({ told, status }) => {
    const ended = run("preinst", ["install"], `echo '${told}'\n`);
    expect(ended.status).toBe(status);
    if (status !== 0)
      expect(ended.stderr).toMatch(/^svc-ent-updater cannot be installed here: it needs systemd 247 or newer, .*\.\n$/);
  });

  function run(script: string, argv: readonly string[], systemctl: string): { status: number | null; stderr: string } {
    const program = join(place, "systemctl");
    writeFileSync(program, `#!/bin/sh\n${systemctl}`);
    chmodSync(program, 0o755);
    const env = { PATH: `${place}:${process.env["PATH"]}` };
    const { status, stderr } = spawnSync("/bin/sh", [join(folder, script), ...argv], { encoding: "utf8", env });
    return { status, stderr };
  }

  function calls(): string {
    const log = join(place, "systemctl.log");
    return existsSync(log) ? readFileSync(log, "utf8") : "";
  }
});
