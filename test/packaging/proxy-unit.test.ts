import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { faultTable } from "../../src/rules/fault/table.ts";
import { limits } from "../../src/proxy/server/limits.ts";
import { watchdogEveryMs } from "../../src/proxy/server/notify.ts";

const unit = readFileSync(join(import.meta.dirname, "../../systemd/svc-proxy.service"), "utf8");

/** The last one, as systemd takes it. */
function value(key: string): string {
  const lines = unit.split("\n").filter((line) => line.startsWith(`${key}=`));
  return lines.at(-1)?.slice(key.length + 1) ?? `(no ${key})`;
}

const seconds = (key: string): number => Number(/^(\d+)s?$/.exec(value(key))?.[1]);

describe("svc-proxy.service", () => {
  test.each([
    ["Type", "notify"],
    ["NotifyAccess", "all"],
    ["KillMode", "mixed"],
    ["DynamicUser", "yes"],
    ["ProtectSystem", "strict"],
    ["NoNewPrivileges", "yes"],
    ["CapabilityBoundingSet", "CAP_NET_BIND_SERVICE"],
    ["LimitNOFILE", "524288"],
    ["ExecStartPre", "+/usr/bin/svc-proxy keep-proxies /etc/default/svc /var/lib/svc-proxy/proxies.env"],
    ["ExecReload", "/usr/bin/svc-proxy reload $MAINPID"],
    ["EnvironmentFile", "-/var/lib/svc-proxy/proxies.env"],
  ])("has %s=%s", (key, wanted) => {
    expect(value(key)).toBe(wanted);
  });

  test("and its socket are what the preset leaves disabled, wherever whatever is installed would be enabled", () => {
    const preset = readFileSync(join(import.meta.dirname, "../../systemd/50-svc-proxy.preset"), "utf8");
    expect(preset.split("\n").filter((line) => line !== "" && !line.startsWith("#"))).toEqual([
      "disable svc-proxy.service",
      "disable svc-proxy.socket",
    ]);
  });

  test("waits longer for the end than the program takes to leave, and to start at all", () => {
    expect(seconds("TimeoutStopSec") * 1000).toBeGreaterThan(1.5 * (limits.graceMs + limits.drainMs));
    expect(seconds("TimeoutStartSec")).toBeGreaterThan(0);
  });

  test("hears of the program twice before it gives it up", () => {
    const microseconds = seconds("WatchdogSec") * 1_000_000;
    expect(watchdogEveryMs({ WATCHDOG_USEC: String(microseconds) }, 1)).toBe(microseconds / 2000);
  });

  test("is not started again where only a hand can help", () => {
    const statuses = value("RestartPreventExitStatus").split(" ").map(Number);
    expect(statuses).toEqual([faultTable.usage.exit, faultTable["not-permitted"].exit, faultTable["settings-invalid"].exit]);
  });
});

describe.skipIf(spawnSync("systemd-analyze", ["--version"]).error !== undefined)("systemd-analyze", () => {
  const copies = mkdtempSync(join(tmpdir(), "svc-proxy-unit-"));
  const path = join(copies, "svc-proxy.service");
  // The executable is not installed where the tests run, and the tool looks for it.
  writeFileSync(path, unit.replaceAll("/usr/bin/svc-proxy", "/bin/true"));
  afterAll(() => rmSync(copies, { recursive: true }));

  test("finds nothing to say about the unit", () => {
    const { status, stdout, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", path], { encoding: "utf8" });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  test("counts an exposure of at most 1.6: the network, and a port below 1024", () => {
    const argv = ["security", "--offline=true", "--no-pager", "--threshold=16", path];
    const { status, stdout } = spawnSync("systemd-analyze", argv, { encoding: "utf8" });
    expect(stdout).toContain("Overall exposure level");
    expect(status).toBe(0);
  });
});
