import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { formats, type Format } from "../../packaging/project.ts";
import { packageScript, scriptNames } from "../../packaging/scripts.ts";

const scripts = formats.flatMap((format) =>
  scriptNames(format).map((name) => ({ format, name, text: packageScript(format, name) })),
);

test.skipIf(spawnSync("shellcheck", ["--version"]).error !== undefined).each(scripts)(
  "shellcheck finds nothing in the $format's $name",
  ({ text }) => {
    const { stdout, status } = spawnSync("shellcheck", ["--shell=sh", "-"], { encoding: "utf8", input: text });
    expect(stdout).toBe("");
    expect(status).toBe(0);
  },
);

test.each(scripts)("the $format's $name stops at the first command that fails", ({ text }) => {
  expect(text).toMatch(/^set -e\n/);
});

type Call = { readonly script: string; readonly argv: readonly string[] };

/** As dpkg and rpm call them. */
const occasions = {
  deb: {
    installation: { script: "postinst", argv: ["configure", ""] },
    upgrade: { script: "postinst", argv: ["configure", "0.0.9"] },
    "before an upgrade": { script: "prerm", argv: ["upgrade", "0.2.0"] },
    "after an upgrade": { script: "postrm", argv: ["upgrade", "0.2.0"] },
    "before a removal": { script: "prerm", argv: ["remove"] },
    "after a removal": { script: "postrm", argv: ["remove"] },
    // The package's scripts stay until it is purged, and dpkg knows the version it had.
    "installation after a removal": { script: "postinst", argv: ["configure", "0.0.9"] },
  },
  rpm: {
    installation: { script: "post", argv: ["1"] },
    upgrade: { script: "post", argv: ["2"] },
    "before an upgrade": { script: "preun", argv: ["1"] },
    "after an upgrade": { script: "postun", argv: ["1"] },
    "before a removal": { script: "preun", argv: ["0"] },
    "after a removal": { script: "postun", argv: ["0"] },
    "installation after a removal": { script: "post", argv: ["1"] },
  },
} as const satisfies Readonly<Record<Format, Readonly<Record<string, Call>>>>;

type Occasion = keyof (typeof occasions)[Format];

describe.each(formats)("the scripts of the %s, below a scratch root and with a stand-in for systemctl", (format) => {
  let place = "";
  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), "svc-upgrade-scripts-"));
    for (const folder of ["etc", "run/svc-upgrade", "var/lib/systemd/timers"])
      mkdirSync(join(place, folder), { recursive: true });
    systemctl("enabled");
  });
  afterEach(() => rmSync(place, { recursive: true }));

  test("apply the preset at the first installation, and never again", () => {
    expect(run("installation")).toContain("preset --quiet svc-upgrade.timer");
    expect(run("upgrade")).not.toContain("preset");
  });

  test("restart the timer and nothing else at an upgrade, if it is enabled", () => {
    mkdirSync(join(place, "run/systemd/system"), { recursive: true });
    const asks = ["daemon-reload", "is-enabled --quiet svc-upgrade.timer"];
    expect(run("upgrade")).toEqual([...asks, "restart svc-upgrade.timer"]);
    systemctl("disabled");
    expect(run("upgrade")).toEqual(asks);
  });

  test.each(["before an upgrade", "after an upgrade"] as const)("touch nothing %s", (occasion) => {
    expect(run(occasion)).toEqual([]);
    expect(existsSync(join(place, "run/svc-upgrade"))).toBe(true);
  });

  test("take the timer's link away at a removal, and bring it back when the package comes back", () => {
    expect(run("before a removal")).toContain("disable --quiet svc-upgrade.timer");
    run("after a removal");
    expect(existsSync(join(place, "run/svc-upgrade"))).toBe(false);
    systemctl("disabled");
    expect(run("installation after a removal")).toEqual(["enable --quiet svc-upgrade.timer"]);
    expect(run("upgrade")).toEqual([]);
  });

  test("leave a timer disabled that was disabled when the package was removed", () => {
    systemctl("disabled");
    run("before a removal");
    run("after a removal");
    expect(run("installation after a removal")).toEqual([]);
  });

  /** Gives what systemctl was asked for. */
  function run(occasion: Occasion): readonly string[] {
    const { script, argv } = occasions[format][occasion];
    const text = packageScript(format, script as never).replaceAll(/(?<![\w/])\/(?=(etc|run|var)\/)/g, `${place}/`);
    const env = { PATH: `${place}:${process.env["PATH"]}` };
    const { status, stderr } = spawnSync("/bin/sh", ["-c", text, script, ...argv], { encoding: "utf8", env });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const log = join(place, "systemctl.log");
    const asked = existsSync(log) ? readFileSync(log, "utf8").trimEnd().split("\n") : [];
    rmSync(log, { force: true });
    return asked;
  }

  function systemctl(state: "enabled" | "disabled"): void {
    const program = join(place, "systemctl");
    const answer = `if [ "$1" = is-enabled ]; then\n  [ "$2" = --quiet ] || echo ${state}\n  [ ${state} = enabled ]\nfi\n`;
    writeFileSync(program, `#!/bin/sh\necho "$@" >>"$0.log"\n${answer}`);
    chmodSync(program, 0o755);
  }
});

test.each([
  { told: "systemd 246 (246.6-1)", status: 1 },
  { told: "systemd 247 (247.3-7)", status: 0 },
  { told: "systemd 257 (257.8-1~deb13u2)", status: 0 },
  { told: "something else", status: 1 },
])("the deb's preinst ends with $status where systemctl tells $told", ({ told, status }) => {
  const place = mkdtempSync(join(tmpdir(), "svc-upgrade-scripts-"));
  writeFileSync(join(place, "systemctl"), `#!/bin/sh\necho '${told}'\n`, { mode: 0o755 });
  const env = { PATH: `${place}:${process.env["PATH"]}` };
  const ended = spawnSync("/bin/sh", ["-c", packageScript("deb", "preinst"), "preinst", "install"], { encoding: "utf8", env });
  rmSync(place, { recursive: true });
  expect(ended.status).toBe(status);
  if (status !== 0)
    expect(ended.stderr).toMatch(/^svc-ent-updater cannot be installed here: it needs systemd 247 or newer, .*\.\n$/);
});
