import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Product } from "../../packaging/product.ts";
import { products } from "../../packaging/products/products.ts";
import { server } from "../../packaging/products/server.ts";
import { updater } from "../../packaging/products/updater.ts";
import { formats, type Format } from "../../packaging/project.ts";
import { packageScript, scriptNames } from "../../packaging/scripts.ts";

const scripts = products.flatMap((product) =>
  formats.flatMap((format) =>
    scriptNames(product, format).map((name) => ({
      packageName: product.packageName,
      format,
      name,
      text: packageScript(product, format, name),
    })),
  ),
);

test.skipIf(spawnSync("shellcheck", ["--version"]).error !== undefined).each(scripts)(
  "shellcheck finds nothing in the $name of $packageName's $format",
  ({ text }) => {
    const { stdout, status } = spawnSync("shellcheck", ["--shell=sh", "-"], { encoding: "utf8", input: text });
    expect(stdout).toBe("");
    expect(status).toBe(0);
  },
);

test.each(scripts)("the $name of $packageName's $format stops at the first command that fails", ({ text }) => {
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

let place = "";
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "svc-upgrade-scripts-"));
  for (const folder of ["etc", "run/svc-upgrade", "var/lib/systemd/timers"]) mkdirSync(join(place, folder), { recursive: true });
  systemctl("enabled");
});
afterEach(() => rmSync(place, { recursive: true }));

describe.each(formats)("the scripts of the updater's %s, below a scratch root and with a stand-in for systemctl", (format) => {
  const run = (occasion: Occasion): readonly string[] => ran(updater, format, occasion);

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
});

describe.each(formats)("the scripts of svc-proxy's %s, below a scratch root and with a stand-in for systemctl", (format) => {
  const run = (occasion: Occasion): readonly string[] => ran(server, format, occasion);
  const boot = (): unknown => mkdirSync(join(place, "run/systemd/system"), { recursive: true });

  test("ask nothing of a host whose systemd does not run, but to forget the unit at a removal", () => {
    const asked = Object.keys(occasions[format]).map((occasion) => [occasion, run(occasion as Occasion)] as const);
    expect(asked.filter(([, calls]) => calls.length > 0)).toEqual([["before a removal", ["disable --quiet svc-proxy.service"]]]);
  });

  test.each(["installation", "upgrade", "installation after a removal"] as const)(
    "restart the server at an %s only where it runs, and enable nothing",
    (occasion) => {
      boot();
      expect(run(occasion)).toEqual(["daemon-reload", "try-restart svc-proxy.service"]);
    },
  );

  test("leave the package installed, and say where to look, when the server does not come up again", () => {
    boot();
    systemctl("failing");
    const { status, stderr } = ended(server, format, "upgrade");
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: "svc-proxy.service did not start again; the reason is in: journalctl -u svc-proxy\n",
    });
  });

  test.each(["before an upgrade", "after an upgrade"] as const)("touch nothing %s", (occasion) => {
    boot();
    expect(run(occasion)).toEqual([]);
  });

  test("stop the server at a removal, and leave nothing of it", () => {
    boot();
    expect(run("before a removal")).toEqual(["disable --quiet svc-proxy.service", "stop svc-proxy.service"]);
    expect(run("after a removal")).toEqual(["daemon-reload", "reset-failed svc-proxy.service"]);
    expect(readdirSync(join(place, "etc"))).toEqual([]);
    expect(readdirSync(join(place, "var/lib"), { recursive: true })).toEqual(["systemd", "systemd/timers"]);
  });
});

/** Gives what systemctl was asked for. */
function ran(product: Product, format: Format, occasion: Occasion): readonly string[] {
  const { status, stderr, asked } = ended(product, format, occasion);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return asked;
}

type Ended = { readonly status: number | null; readonly stderr: string; readonly asked: readonly string[] };

function ended(product: Product, format: Format, occasion: Occasion): Ended {
  const { script, argv } = occasions[format][occasion];
  const text = packageScript(product, format, script as never).replaceAll(/(?<![\w/])\/(?=(etc|run|var)\/)/g, `${place}/`);
  const env = { PATH: `${place}:${process.env["PATH"]}` };
  const { status, stderr } = spawnSync("/bin/sh", ["-c", text, script, ...argv], { encoding: "utf8", env });
  const log = join(place, "systemctl.log");
  const asked = existsSync(log) ? readFileSync(log, "utf8").trimEnd().split("\n") : [];
  rmSync(log, { force: true });
  return { status, stderr, asked };
}

/** "failing": no unit can be started. */
function systemctl(state: "enabled" | "disabled" | "failing"): void {
  const program = join(place, "systemctl");
  const answer = `if [ "$1" = is-enabled ]; then\n  [ "$2" = --quiet ] || echo ${state}\n  [ ${state} = enabled ]\nfi\n`;
  const failure = state === "failing" ? '[ "$1" != try-restart ]\n' : "";
  writeFileSync(program, `#!/bin/sh\necho "$@" >>"$0.log"\n${answer}${failure}`);
  chmodSync(program, 0o755);
}

test.each([
  { told: "systemd 246 (246.6-1)", status: 1 },
  { told: "systemd 247 (247.3-7)", status: 0 },
  { told: "systemd 257 (257.8-1~deb13u2)", status: 0 },
  { told: "something else", status: 1 },
])("each deb's preinst ends with $status where systemctl tells $told", ({ told, status }) => {
  writeFileSync(join(place, "systemctl"), `#!/bin/sh\necho '${told}'\n`, { mode: 0o755 });
  const env = { PATH: `${place}:${process.env["PATH"]}` };
  for (const product of products) {
    const text = packageScript(product, "deb", "preinst");
    const run = spawnSync("/bin/sh", ["-c", text, "preinst", "install"], { encoding: "utf8", env });
    const refusal = `${product.packageName} cannot be installed here: it needs systemd 247 or newer, `;
    expect(run.status).toBe(status);
    expect(run.stderr).toMatch(status === 0 ? /^$/ : new RegExp(`^${refusal}.*\\.\\n$`));
  }
});
