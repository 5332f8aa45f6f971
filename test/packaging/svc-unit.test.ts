import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { faultTable } from "../../src/rules/fault/table.ts";
import { limits } from "../../src/proxy/server/limits.ts";

const folder = join(import.meta.dirname, "../../systemd");
const unit = readFileSync(join(folder, "svc.service"), "utf8");
const dropIn = readFileSync(join(folder, "10-svc-ent.conf"), "utf8");

function valuesIn(text: string, key: string): readonly string[] {
  return text.split("\n").flatMap((line) => (line.startsWith(`${key}=`) ? [line.slice(key.length + 1)] : []));
}

describe("svc.service", () => {
  test.each([
    ["ExecStart", "/usr/bin/svc start --config /etc/svc.yaml --pid-file=/run/svc.pid"],
    ["ExecReload", `/bin/sh -c 'kill -HUP "$$(cat /run/svc.pid)"'`],
    ["EnvironmentFile", "-/etc/default/svc"],
    ["Restart", "always"],
    ["RestartSec", "5"],
    ["LimitNOFILE", "524288"],
  ])("has %s=%s, as the platform's own unit", (key, wanted) => {
    expect(valuesIn(unit, key)).toEqual([wanted]);
  });

  test("starts on every host: no condition makes a start do nothing", () => {
    expect(unit + dropIn).not.toMatch(/^(Condition|Assert)/m);
  });

  test("is what the preset enables", () => {
    const preset = readFileSync(join(folder, "50-svc.preset"), "utf8");
    expect(preset.split("\n").filter((line) => line !== "" && !line.startsWith("#"))).toEqual(["enable svc.service"]);
  });
});

describe("its drop-in", () => {
  test.each([
    ["Type", ["notify"]],
    ["KillMode", ["mixed"]],
    ["User", ["svc"]],
    ["Group", ["svc"]],
    ["StateDirectory", ["svc"]],
    ["StateDirectoryMode", ["0700"]],
    ["UMask", ["0077"]],
    ["CapabilityBoundingSet", ["CAP_NET_BIND_SERVICE"]],
    ["AmbientCapabilities", ["CAP_NET_BIND_SERVICE"]],
    ["NoNewPrivileges", ["yes"]],
    ["ProtectSystem", ["strict"]],
    ["ReadWritePaths", ["-/run/svc.pid", "-/etc/svc-upgrade.d"]],
    ["LimitCORE", ["0"]],
    ["MemoryMax", ["2G"]],
    ["ExecReload", ["", "/usr/bin/svc reload --config /etc/svc.yaml --pid-file=/run/svc.pid"]],
  ])("has %s=%s", (key, wanted) => {
    expect(valuesIn(dropIn, key)).toEqual(wanted);
  });

  test("changes nothing of what the platform's own unit says but how a reload is asked for", () => {
    for (const key of ["ExecStart", "EnvironmentFile", "Restart", "RestartSec", "LimitNOFILE"])
      expect(valuesIn(dropIn, key)).toEqual([]);
  });

  test("makes the user that the service runs as, who owns nothing but its directory", () => {
    const entries = readFileSync(join(folder, "svc-ent.conf"), "utf8").split("\n");
    expect(entries.filter((line) => /^\w/.test(line))).toEqual(['u svc - "Runs the services of the cluster" /var/lib/svc']);
  });

  test("waits longer for the end than the proxy in it takes to leave", () => {
    const seconds = Number(/^(\d+)s$/.exec(valuesIn(dropIn, "TimeoutStopSec")[0] ?? "")?.[1]);
    expect(seconds * 1000).toBeGreaterThan(1.5 * (limits.graceMs + limits.drainMs));
  });

  test("does not start it again where only a hand can help", () => {
    const statuses = valuesIn(dropIn, "RestartPreventExitStatus")[0]?.split(" ").map(Number);
    expect(statuses).toEqual([faultTable.usage.exit, faultTable["not-permitted"].exit, faultTable["settings-invalid"].exit]);
  });
});

describe.skipIf(spawnSync("systemd-analyze", ["--version"]).error !== undefined)("systemd-analyze", () => {
  const root = mkdtempSync(join(tmpdir(), "svc-unit-"));
  const units = join(root, "units");
  const path = join(units, "svc.service");
  mkdirSync(units, { recursive: true });
  // The executable is not installed where the tests run, and the tool looks for it. One file for what has no eye for drop-ins.
  writeFileSync(path, (unit.replace(/\n\[Install\][^]*/, "\n") + dropIn).replaceAll("/usr/bin/svc ", "/bin/true "));
  afterAll(() => rmSync(root, { recursive: true }));

  test("finds nothing to say about the unit", () => {
    const { status, stdout, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", path], { encoding: "utf8" });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  test("counts an exposure of at most 1.8: the network, and a port below 1024", () => {
    const argv = ["security", "--offline=true", "--no-pager", "--threshold=18", path];
    const { status, stdout } = spawnSync("systemd-analyze", argv, { encoding: "utf8" });
    expect(stdout).toContain("Overall exposure level");
    expect(status).toBe(0);
  });
});
