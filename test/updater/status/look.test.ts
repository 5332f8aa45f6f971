import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { Fault } from "../../../src/rules/fault/fault.ts";
import { pathsBelow } from "../../../src/machine/files/paths.ts";
import type { PackageManager } from "../../../src/updater/package/manager/manager.ts";
import type { Binary, InstalledPackage } from "../../../src/updater/plan/host-facts.ts";
import { encodeState } from "../../../src/updater/record/encode-state.ts";
import { emptyState, type State } from "../../../src/updater/record/state.ts";
import type { UnitName } from "../../../src/rules/settings/settings.ts";
import { look, type LookPorts } from "../../../src/updater/status/look.ts";
import type { UnitPorts } from "../../../src/updater/status/look-at-units.ts";
import type { Observed } from "../../../src/updater/status/observed.ts";
import { takeLock } from "../../../src/updater/store/lock.ts";
import type { ShownUnit } from "../../../src/updater/unit/shown.ts";
import { now, present, servedVersion } from "../plan/given.ts";
import { passOf, shown, stepInHand, unitsAt } from "./given.ts";

const scratch = mkdtempSync(join(tmpdir(), "svc-upgrade-look-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const userId = process.getuid?.() ?? -1;

/** A root of real files; what only a whole system has stands behind ports. */
type Host = {
  readonly files?: Readonly<Record<string, string>>;
  readonly state?: Partial<State>;
  readonly installed?: InstalledPackage | Fault;
  readonly binary?: Binary;
  readonly units?: Partial<UnitPorts> | "no-systemd";
  readonly userId?: number;
  readonly denied?: "proxies";
};

const settings = { "etc/svc-upgrade/10.yaml": "endpoint: https://cluster.example\n" };

function makeRoot({ files = settings, state }: Host): string {
  const root = mkdtempSync(join(scratch, "root-"));
  const remembered =
    state === undefined ? {} : { "var/lib/svc-upgrade-decide/state.json": encodeState({ ...emptyState, ...state }) };
  for (const [path, text] of Object.entries({ ...files, ...remembered })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

function portsFor(root: string, { installed = present(), binary = { kind: "not-asked" }, units = {}, ...host }: Host): LookPorts {
  const manager = { name: "apt", offers: () => Promise.resolve([]) } as unknown as PackageManager;
  const { timer } = unitsAt(now) as Extract<Observed["units"], { kind: "units" }>;
  return {
    sources: { paths: pathsBelow(root), environment: {}, flags: [], ownerUid: userId },
    userId: host.userId ?? 0,
    readClock: () => ({ now, sinceBootSeconds: 5000, bootId: "boot", isSynchronised: true }),
    proxies: (_agentPaths, log) => {
      if (host.denied === "proxies") log("warning", "proxies may be set in a file that this user may not read", { path: "/f" });
      return host.files?.["etc/default/svc"] === undefined ? {} : { HTTPS_PROXY: host.files["etc/default/svc"] };
    },
    observers: () => ({
      builtAt: 0,
      findManager: () => (installed instanceof Fault ? Promise.reject(installed) : Promise.resolve({ manager, installed })),
      askBinary: () => Promise.resolve(binary),
    }),
    units:
      typeof units === "string"
        ? units
        : {
            show: (unit) => Promise.resolve(unit === "svc.service" ? shown : { ...shown, active: "inactive" }),
            showTimer: () => Promise.resolve(timer!),
            monotonicUs: () => 3_600_000_000,
            ...units,
          },
  };
}

function see(host: Host = {}): Promise<Observed> {
  return look(portsFor(makeRoot(host), host));
}

const contact = { lastContact: { at: now - 240, served: servedVersion, isCritical: false } };

describe("a look at a host", () => {
  test("decides by the last answer, as a pass would by the channel's", async () => {
    const { basis, installed, unread } = await see({ state: contact });
    expect(basis).toMatchObject({
      kind: "facts",
      facts: {
        now,
        answer: { kind: "served", served: { version: servedVersion } },
        agent: "running",
        schedule: { kind: "missing" },
      },
    });
    expect(installed).toEqual(present());
    expect(unread).toEqual([]);
  });

  test("finds no answer in a state of another channel", async () => {
    const state = { ...contact, passes: [passOf({ channel: "stable/cloud" })] };
    expect((await see({ state })).basis).toMatchObject({ kind: "unasked", asked: "stable/cloud" });
  });

  test("leaves a step that did not finish to the next pass, which may well bring it to its end", async () => {
    const seen = await see({
      state: { ...contact, step: stepInHand(), repair: { to: servedVersion, attempts: 1, isNowhere: false } },
    });
    expect(seen.basis).toMatchObject({ facts: { memory: { needsOperator: undefined } } });
    expect(seen.state).toMatchObject({ state: { step: { step: "install" } } });
  });

  test("dates the agent's unit by the clock that nobody can set", async () => {
    const up: ShownUnit = { ...shown, activeSinceUs: 600_000_000 };
    const { units } = await see({ units: { show: () => Promise.resolve(up) } });
    expect(units).toMatchObject({ agent: { unit: "svc.service", activeSince: now - 3000 } });
    const down = await see({ units: { show: () => Promise.resolve({ ...up, active: "failed" }) } });
    expect(down.units).toMatchObject({ agent: { activeSince: undefined } });
  });

  test("knows where a hold is set", async () => {
    const files = { ...settings, "etc/svc-upgrade/70-hold.yaml": "hold: {reason: a fair}\n" };
    expect((await see({ files })).settings?.holdOrigin).toMatch(/\/etc\/svc-upgrade\/70-hold\.yaml$/);
    expect((await see()).settings?.holdOrigin).toBeUndefined();
  });

  test("knows how old the schedule is", async () => {
    const { schedule } = await see({ files: { ...settings, "etc/svc-upgrade.d/schedule": "nop\n" } });
    expect(schedule).toMatchObject({ schedule: { kind: "never" }, access: "read" });
    expect(Math.abs((schedule.writtenAt ?? 0) - Date.now() / 1000)).toBeLessThan(60);
  });

  test("changes nothing", async () => {
    const host = { state: contact };
    const root = makeRoot(host);
    const listed = readdirSync(root, { recursive: true });
    await look(portsFor(root, host));
    expect(readdirSync(root, { recursive: true })).toEqual(listed);
  });
});

describe("a look that meets a fault", () => {
  const unclear = new Fault("manager-unclear", { message: "no package manager of this host is the one", hint: "h" });

  test.each<[title: string, host: Host, code: string]>([
    ["in the settings", { files: { "etc/svc-upgrade/10.yaml": "chanel: x\n" } }, "settings-invalid"],
    ["for want of an endpoint", { files: {} }, "endpoint-missing"],
    ["in a proxy", { files: { ...settings, "etc/default/svc": "socks5://u:planted@p.example:1" } }, "proxy-invalid"],
    ["in the package manager", { installed: unclear }, "manager-unclear"],
  ])("%s tells it and all the rest", async (_title, host, code) => {
    const seen = await see({ ...host, state: contact });
    expect(seen.basis).toMatchObject({ kind: "fault", fault: { code } });
    expect(seen.state).toMatchObject({ kind: "state", state: contact });
    expect(seen.units).toMatchObject({ kind: "units", timer: { isActive: true } });
    expect(JSON.stringify(seen)).not.toContain("planted");
  });

  test("in the settings knows no package, and in the endpoint knows it", async () => {
    expect((await see({ files: { "etc/svc-upgrade/10.yaml": "chanel: x\n" } })).installed).toBeUndefined();
    expect((await see({ files: {} })).installed).toEqual(present());
  });

  test("in the state says that it is unreadable", async () => {
    const files = { ...settings, "var/lib/svc-upgrade-decide/state.json": "junk" };
    expect((await see({ files })).state).toEqual({ kind: "unreadable", why: "it is not JSON" });
  });

  test("in one unit still sees the other, and says so", async () => {
    const gone = new Fault("os-failed", { message: "systemctl show failed: no bus", hint: "h" });
    const { units, unread, basis } = await see({ state: contact, units: { show: () => Promise.reject(gone) } });
    expect(units).toMatchObject({ kind: "units", agent: undefined, timer: { isActive: true } });
    expect(basis).toMatchObject({ facts: { agent: "unknown" } });
    expect(unread).toEqual(["systemctl show failed: no bus"]);
  });

  test("asks for no unit where there is none", async () => {
    expect((await see({ units: "no-systemd" })).units).toEqual({ kind: "no-systemd" });
  });
});

describe("what an ordinary user may not see", () => {
  const broken: Binary = { kind: "broken", why: "permission denied" };

  test("is no damage of the binary", async () => {
    const ordinary = await see({ state: contact, binary: broken, userId: 1000 });
    expect(ordinary.basis).toMatchObject({ facts: { binary: { kind: "not-asked" } } });
    expect(ordinary.unread).toEqual(["the agent's binary does not run for this user: permission denied"]);
    expect((await see({ state: contact, binary: broken })).basis).toMatchObject({ facts: { binary: broken } });
    const closed = await see({
      state: contact,
      binary: { kind: "not-asked", why: "no permission to execute /svc" },
      userId: 1000,
    });
    expect(closed.basis).toMatchObject({ facts: { binary: { kind: "not-asked" } } });
    expect(closed.unread).toEqual(["the agent's binary does not run for this user: no permission to execute /svc"]);
  });

  test("is no route", async () => {
    const { route, unread } = await see({ denied: "proxies" });
    expect(route).toBeUndefined();
    expect(unread).toEqual(["proxies may be set in a file that this user may not read: /f"]);
    expect((await see()).route).toEqual({ kind: "direct", rule: "no HTTPS_PROXY is set" });
  });
});

describe("a pass that is running", () => {
  test.each(["activating", "deactivating"] as const)("is a unit that is %s", async (active) => {
    const show = (unit: UnitName): Promise<ShownUnit> =>
      Promise.resolve(unit === "svc-upgrade.service" ? { ...shown, active } : shown);
    expect((await see({ units: { show } })).running).toEqual({ by: "unit" });
  });

  test("is whoever holds the lock for one", async () => {
    const host = { units: "no-systemd" } as const;
    const root = makeRoot(host);
    const seen = async (): Promise<Observed["running"]> => (await look(portsFor(root, host))).running;
    for (const [doing, running] of [
      ["pass 1", { by: "process", pid: process.pid }],
      ["retry", undefined],
    ] as const) {
      const taken = takeLock(pathsBelow(root), doing);
      expect(await seen()).toEqual(running);
      if (taken.kind === "held") taken.release();
      expect(await seen()).toBeUndefined();
    }
    // Killed in the middle of it: no process lives as 4194304 or above.
    writeFileSync(pathsBelow(root).lock, "4194305 pass 1\n");
    expect(await seen()).toBeUndefined();
  });
});
