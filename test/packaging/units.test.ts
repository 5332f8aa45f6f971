import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { parseTimeSpan } from "./time-span.ts";
import { documentedVariables, steeringVariables } from "../steering-variables.ts";
import { readAgentFile, readScheduleFile } from "../../src/rules/settings/read-agent-files.ts";
import { pathsBelow } from "../../src/machine/files/paths.ts";
import { transactionTimeoutMs } from "../../src/updater/unit/transaction.ts";

const folder = join(import.meta.dirname, "../../systemd");
const services = ["svc-upgrade.service", "svc-upgrade-ask.service", "svc-upgrade-act.service"] as const;
const sockets = ["svc-upgrade-ask.socket", "svc-upgrade-act.socket"] as const;
const minute = 60;

describe("the shipped timer", () => {
  const timer = readUnit("svc-upgrade.timer");
  const period = numberIn(/^\*:0\/(\d+)$/, value(timer, "OnCalendar")) * minute;
  const delay = parseTimeSpan(value(timer, "RandomizedDelaySec"));
  const accuracy = Number(/^(\d+)s$/.exec(value(timer, "AccuracySec"))?.[1]);

  test("gives every host four chances in a window of an hour, wherever the window begins", () => {
    // A pass starts no later than ten minutes before the window closes.
    const usable = 50 * minute;
    const latest = delay + accuracy;
    for (let begin = 0; begin < period; begin++) {
      const ticks = Array.from({ length: 12 }, (_, index) => index * period);
      // Certain whatever the delay: not before the window even at once, not too late even at the most.
      const certain = ticks.filter((tick) => tick >= begin && tick + latest < begin + usable);
      expect(certain.length).toBeGreaterThanOrEqual(4);
    }
  });

  test("never delays a tick beyond the next one, and spreads a fleet over nearly all the time between them", () => {
    expect(delay + accuracy).toBeLessThan(period);
    expect(delay).toBeGreaterThan(0.95 * period);
  });

  test("makes up for a tick that was slept through", () => {
    expect(value(timer, "Persistent")).toBe("true");
  });

  test("is what the preset enables", () => {
    expect(readUnit("50-svc-upgrade.preset")).toContain("enable svc-upgrade.timer");
  });
});

/** Of the loader, for any program: no test sets them but through sudo. */
const loading = ["LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT"];

test("SECURITY.md says of each variable that is tested, and of no other, what ends it", () => {
  expect(documentedVariables().toSorted()).toEqual([...steeringVariables.map(({ name }) => name), ...loading].toSorted());
});

describe.each([...services, "svc-proxy.service", "10-svc-ent.conf"])("%s", (name) => {
  const unset = values(readUnit(name), "UnsetEnvironment").flatMap((line) => line.split(" "));
  const tables = ["GCONV_PATH", "LOCPATH"];
  const steering = steeringVariables.filter(({ units }) => units !== "let it be").map((variable) => variable.name);

  test("unsets every variable that loads code, or steers the runtime", () => {
    expect(unset.toSorted()).toEqual([...loading, ...tables, ...steering].toSorted());
  });
});

describe.each(services)("%s", (name) => {
  const unit = readUnit(name);

  test("names every deadline", () => {
    // A unit that is up as long as it works is started in no time.
    if (value(unit, "Type") === "oneshot") expect(value(unit, "TimeoutStartSec")).toMatch(/^\d+min$/);
    expect(value(unit, "TimeoutStopSec")).toMatch(/^\d+(min|s)$/);
  });

  test("lets only what is in the executable run, under the name that the journal is searched for", () => {
    expect(values(unit, "ExecStart")).toHaveLength(1);
    expect(value(unit, "ExecStart")).toMatch(/^\/usr\/bin\/svc-upgrade (pass|ask|act)$/);
    expect(value(unit, "SyslogIdentifier")).toBe("svc-upgrade");
  });
});

describe("the deciding unit", () => {
  const unit = readUnit("svc-upgrade.service");

  test("waits longer for a pass, and for its step in hand, than a pass may last", () => {
    const transaction = transactionTimeoutMs / 60_000;
    const settle = 10;
    // The one that lives on, its repair, two fetches, the lists, forth and back; and each way, bringing the agent up.
    const longestPass = 7 * transaction + 2 * (settle + 10);
    expect(numberIn(/^(\d+)min$/, value(unit, "TimeoutStartSec"))).toBeGreaterThan(longestPass);
    expect(numberIn(/^(\d+)min$/, value(unit, "TimeoutStopSec"))).toBeGreaterThan(transaction + 10);
    expect(value(unit, "KillMode")).toBe("mixed");
  });

  test.each([
    ["PrivateNetwork", "yes"],
    ["RestrictAddressFamilies", "AF_UNIX"],
    ["CapabilityBoundingSet", "CAP_DAC_READ_SEARCH"],
    ["ProtectSystem", "strict"],
    ["NoNewPrivileges", "yes"],
    ["User", "svc-upgrade"],
    ["AmbientCapabilities", "CAP_DAC_READ_SEARCH"],
    ["StateDirectory", "svc-upgrade-decide"],
    ["SuccessExitStatus", "75"],
    ["MountFlags", "private"],
  ])("has %s=%s", (key, wanted) => {
    expect(value(unit, key)).toBe(wanted);
  });
});

test.each(["svc-upgrade.service", "svc-upgrade-act.service"])("no setting leads where %s does not look", (name) => {
  const unit = readUnit(name);
  expect([value(unit, "ProtectHome"), value(unit, "PrivateTmp")]).toEqual(["yes", "yes"]);
  const inaccessible = values(unit, "InaccessiblePaths").flatMap((line) => line.split(" "));
  const hidden = ["/home", "/root", "/run/user", "/tmp", "/var/tmp", ...inaccessible.map((path) => path.replace(/^-/, ""))];
  for (const place of hidden) {
    for (const read of [readAgentFile, readScheduleFile])
      expect([place, read(`${place}/acme/file`).kind]).toEqual([place, "refused"]);
  }
});

describe("the acting unit", () => {
  const unit = readUnit("svc-upgrade-act.service");

  test("is in the sandbox that the deciding one is in, but for what makes that a user", () => {
    const ofTheUser = ["AmbientCapabilities=", "SystemCallFilter=capset", "InaccessiblePaths=-/etc/shadow"];
    const sandbox = (text: string): readonly string[] =>
      text
        .slice(text.indexOf("# Nothing inherited"))
        .split("\n")
        .filter((line) => !line.startsWith("#") && !ofTheUser.some((start) => line.startsWith(start)));
    expect(sandbox(unit)).toEqual(sandbox(readUnit("svc-upgrade.service")));
    expect(value(unit, "AmbientCapabilities")).toBe("");
  });

  test.each([
    ["StateDirectory", "svc-upgrade"],
    ["RuntimeDirectoryPreserve", "yes"],
  ])("has %s=%s", (key, wanted) => {
    expect(value(unit, key)).toBe(wanted);
  });

  test("finishes the call in hand, which may be a transaction, before it is stopped", () => {
    expect(numberIn(/^(\d+)min$/, value(unit, "TimeoutStopSec"))).toBeGreaterThan(transactionTimeoutMs / 60_000 + 10);
    expect(value(unit, "KillMode")).toBe("mixed");
  });

  test("is reached by the deciding unit and root alone, through a socket that the deciding unit brings up and outlives at no shutdown", () => {
    for (const socket of ["svc-upgrade-act.socket", "svc-upgrade-ask.socket"]) {
      expect([value(readUnit(socket), "SocketMode"), value(readUnit(socket), "SocketUser")]).toEqual(["0600", "svc-upgrade"]);
    }
    const decidingUnit = readUnit("svc-upgrade.service");
    expect(values(decidingUnit, "Wants")).toContain("svc-upgrade-act.socket");
    expect(values(decidingUnit, "After")).toContain("svc-upgrade-act.socket svc-upgrade-act.service");
  });
});

describe("the asking unit", () => {
  const unit = readUnit("svc-upgrade-ask.service");

  test.each([
    ["DynamicUser", "yes"],
    ["CapabilityBoundingSet", ""],
    ["NoNewPrivileges", "yes"],
    ["TimeoutStartSec", "3min"],
    ["LimitFSIZE", "0"],
    ["InaccessiblePaths", "/tmp /var/tmp"],
  ])("has %s=%s", (key, wanted) => {
    expect(values(unit, key)).toContain(wanted);
  });

  test.each(["RuntimeDirectory", "StateDirectory", "CacheDirectory", "EnvironmentFile", "ReadWritePaths"])("has no %s", (key) => {
    expect(values(unit, key)).toEqual([]);
  });

  test("is reached through a socket that the deciding unit brings up, and that keeps nobody waiting for a dead one", () => {
    const socket = readUnit("svc-upgrade-ask.socket");
    expect(value(socket, "ListenStream")).toBe(pathsBelow("/").asking);
    expect(value(socket, "SocketMode")).toBe("0600");
    expect(value(socket, "FlushPending")).toBe("yes");
    const decidingUnit = readUnit("svc-upgrade.service");
    expect(values(decidingUnit, "Wants")).toContain("svc-upgrade-ask.socket");
    expect(values(decidingUnit, "After")).toContain("svc-upgrade-ask.socket");
  });

  test("waits for nothing: a network that is down is an answer", () => {
    expect(unit).not.toMatch(/^(Wants|Requires|After|BindsTo)=/m);
  });
});

describe.skipIf(spawnSync("systemd-analyze", ["--version"]).error !== undefined)("systemd-analyze", () => {
  const copies = mkdtempSync(join(tmpdir(), "svc-upgrade-units-"));
  for (const name of ["svc-upgrade.timer", ...sockets, ...services]) {
    // The executable is not installed where the tests run, and the tool looks for it.
    writeFileSync(join(copies, name), readUnit(name).replace("/usr/bin/svc-upgrade", "/bin/true"));
  }
  afterAll(() => rmSync(copies, { recursive: true }));

  test("finds nothing to say about the units", () => {
    const paths = ["svc-upgrade.timer", ...sockets, ...services].map((name) => join(copies, name));
    const { status, stdout, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", ...paths], { encoding: "utf8" });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  test.each(services)("counts an exposure of at most 1.2 for %s", (name) => {
    const argv = ["security", "--offline=true", "--no-pager", "--threshold=12", join(copies, name)];
    const { status, stdout } = spawnSync("systemd-analyze", argv, { encoding: "utf8" });
    expect(stdout).toContain("Overall exposure level");
    expect(status).toBe(0);
  });
});

function readUnit(name: string): string {
  return readFileSync(join(folder, name), "utf8");
}

function values(unit: string, key: string): readonly string[] {
  return unit.split("\n").flatMap((line) => (line.startsWith(`${key}=`) ? [line.slice(key.length + 1)] : []));
}

/** The last one, as systemd takes it. */
function value(unit: string, key: string): string {
  return values(unit, key).at(-1) ?? `(no ${key})`;
}

function numberIn(pattern: RegExp, text: string): number {
  return Number(pattern.exec(text)?.[1]);
}
