import { mkdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { needsRoot } from "../../src/updater/cli/changeable.ts";
import { asFault, faultData } from "../../src/rules/fault/explain.ts";
import type { FaultData } from "../../src/rules/fault/fault.ts";
import { faultTable, type FaultCode } from "../../src/rules/fault/table.ts";
import type { CommandResult } from "../../src/machine/processes/command.ts";
import { barredFault } from "../../src/machine/files/foreign-file.ts";
import { makeDirectory } from "../../src/machine/files/directory.ts";
import { writeFileAtomically } from "../../src/machine/files/write-file.ts";
import { askChannel } from "../../src/machine/network/ask-channel.ts";
import { loadTrust } from "../../src/machine/network/trust.ts";
import { aptFault, dpkgFault, holderIn } from "../../src/updater/package/apt/failure.ts";
import { detectManager } from "../../src/updater/package/manager/detect.ts";
import { refuseMislabelled } from "../../src/updater/package/failure/refuse-mislabelled.ts";
import { ended } from "../../src/updater/package/call/result.ts";
import { askThroughUnit } from "../../src/updater/pass/ask.ts";
import type { PassPorts } from "../../src/updater/pass/pass.ts";
import { proxiesUnread } from "../../src/updater/sources/proxies.ts";
import { tellFault } from "../../src/updater/sentences/decision.ts";
import { parseProxy } from "../../src/rules/route/proxy.ts";
import type { PackageName, UnitName } from "../../src/rules/settings/settings.ts";
import { takeLock } from "../../src/updater/store/lock.ts";
import { activate, type ActivateEffects, type ToActivate } from "../../src/updater/unit/activate.ts";
import { proveHealth, type HealthEffects, type ToProve } from "../../src/updater/unit/health.ts";
import { unitControl } from "../../src/updater/unit/systemctl.ts";
import { missingForRoots, type Root } from "../updater/cli/given.ts";
import { createAuthority, type Authority } from "../machine/network/fixture/authority.ts";
import { closedPort } from "../machine/network/fixture/closed-port.ts";
import { fakePorts, questionFor } from "../machine/network/fixture/ports.ts";
import { startProxy, type RunningProxy } from "../machine/network/fixture/proxy.ts";
import { saved } from "../updater/package/saved.ts";
import { askingUnit, saying, type Deed } from "../updater/pass/asking.ts";
import { installed, settings, type FakeHost, type FakeOptions } from "../updater/pass/given.ts";
import { running, watchOf } from "../updater/unit/given.ts";
import { faults } from "../updater/sentences/faults.ts";
import { expectGolden, timeless } from "./golden.ts";
import { hostNow, reachedInMemory, seenInMemory, type Played } from "./in-memory.ts";
import { folderName, now, openStage, reached, remember, seen, windowFrom, type Scene, type Stage } from "./stage.ts";
import { namingHolder } from "../../src/updater/package/failure/failure.ts";

// In one process with the tests: dpkg has to own what it unpacks without a namespace in between.
const missing = process.getuid?.() === 0 ? missingForRoots() : "not root";
if (missing !== undefined) console.warn(`SKIPPED: how each fault is met: ${missing}`);

let stage: Stage;
let authority: Authority;
/** What has to be closed at the end. */
const open: (() => unknown)[] = [];
beforeAll(async () => {
  if (missing !== undefined) return;
  stage = await openStage();
  authority = createAuthority("Private Authority");
});
afterAll(async () => {
  for (const close of open) close();
  authority?.remove();
  await stage?.close();
});

const setting =
  (yaml: string): Scene["stage"] =>
  (root) =>
    root.write("etc/svc-upgrade/20-test.yaml", yaml);
const serving =
  (version: string, status: number = 200): Scene["stage"] =>
  (_root, { versions }) =>
    versions.serve({ version, status });
const inWindow: Scene["stage"] = (root) => root.write("etc/svc-upgrade.d/schedule", windowFrom(-60, 5490));

function nobodyListens(root: Root): void {
  root.write("etc/svc-upgrade/20-test.yaml", `endpoint: http://127.0.0.1:${closedPort}\n`);
}

/** Everything that the program itself runs into below another root. */
const met: Readonly<Partial<Record<FaultCode, Scene>>> = {
  usage: { command: ["run", "--nwo"] },
  "answer-invalid": { stage: serving("<!DOCTYPE html><title>Log in</title>") },
  "redirect-refused": {
    stage: async (root) => {
      const server = createServer((request, response) => void response.writeHead(302, { location: request.url ?? "/" }).end());
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      open.push(() => server.close());
      const { port } = server.address() as AddressInfo;
      root.write("etc/svc-upgrade/20-test.yaml", `endpoint: http://127.0.0.1:${port}\n`);
    },
  },
  "channel-unknown": { stage: serving("not found", 404) },
  "channel-refused": { stage: serving("forbidden", 403) },
  "channel-failing": { stage: serving("out of order", 500) },
  "channel-unreachable": { stage: nobodyListens },
  "contact-lost": {
    stage: (root) => {
      nobodyListens(root);
      remember(root, { silentSince: now() - 2 * 86_400 - 30 });
    },
  },
  "tls-untrusted": {
    stage: async (root) => {
      const server = createSecureServer(authority.issue({ name: "server", altName: "IP:127.0.0.1" }), (_request, response) =>
        response.end("15.4.6"),
      );
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      open.push(() => server.close());
      const { port } = server.address() as AddressInfo;
      root.write("etc/svc-upgrade/20-test.yaml", `endpoint: https://127.0.0.1:${port}\n`);
    },
  },
  "ca-file-unusable": { stage: setting("endpoint: https://127.0.0.1:1\nca_file: /etc/svc-upgrade/no-such.pem\n") },
  "package-absent": { stage: (root) => root.write("var/lib/dpkg/status", "") },
  "package-unreadable": {
    stage: (root) =>
      root.write("var/lib/dpkg/status", root.read("var/lib/dpkg/status").replace("Version: 15.4.5", "Version: 20261121")),
  },
  "not-offered": {
    stage: (root, { versions }) => {
      versions.serve({ version: "15.4.7" });
      root.write("etc/svc-upgrade.d/schedule", windowFrom(-60, 5490));
    },
  },
  "refresh-failed": {
    stage: (root) => {
      root.write("etc/svc-upgrade.d/schedule", windowFrom(-60, 5490));
      root.write("etc/apt/sources.list.d/test.list", `deb [trusted=yes] http://127.0.0.1:${closedPort}/packages ./\n`);
    },
  },
  "no-way-back": { command: ["rollback"] },
  "state-unreadable": { stage: (root) => root.write("var/lib/svc-upgrade-decide/state.json", '{"schema": 1, "passes"') },
  "state-unwritable": { stage: (root) => root.write("var/lib/svc-upgrade-decide", "not a directory\n") },
  busy: {
    stage: (root) => {
      const directory = join(root.path, "var/lib/svc-upgrade-decide");
      mkdirSync(directory, { recursive: true });
      const lock = takeLock({ root: "/", lock: `${directory}/lock` }, "pass of the timer");
      if (lock.kind === "held") open.push(lock.release);
    },
  },
  stopping: { stage: inWindow, playing: { stopping: AbortSignal.abort() } },
  "settings-invalid": { stage: setting("chanel: stable\nwindow: {utc_start_hour: 25}\n") },
  "settings-untrusted": { stage: (root) => root.write("etc/svc-upgrade/20-test.yaml", "channel: stable\n", 0o666) },
  "endpoint-missing": { stage: (root) => rmSync(join(root.path, "etc/svc-upgrade/10-test.yaml")) },
};

const agent = "svc-ent" as PackageName;
const unit = "svc.service" as UnitName;

async function throughProxy(proxy: RunningProxy["proxy"]): Promise<unknown> {
  const ports = fakePorts({ routeOf: () => ({ kind: "proxy", proxy, rule: "HTTPS_PROXY" }) });
  const answer = await askChannel(questionFor("https://version.invalid", { caFile: authority.file }), ports);
  return answer.kind === "fault" ? answer.fault : answer;
}

async function refusingProxy(): Promise<unknown> {
  const proxy = await startProxy({ names: {}, credentials: { user: "fleet", password: "secret" } });
  open.push(proxy.close);
  return throughProxy({ ...proxy.proxy, credentials: undefined });
}

/** Of an asking unit that does that with its connection. */
async function askOf(deed: Deed): Promise<unknown> {
  const path = join(stage.outdated().path, "ask.socket");
  const { close } = await askingUnit(path, [deed]);
  open.push(close);
  const { installed: _installed, ...question } = { ...questionFor("https://proxy.example.com"), pass: "pass-1" };
  const answer = await askThroughUnit(question, { path, proxies: {} })(Promise.resolve(undefined));
  return answer.kind === "fault" ? answer.fault : answer;
}

/** What only a booted host, a proxy, or a package manager in trouble brings about: by the function that meets it there. */
const thrown: Readonly<Partial<Record<FaultCode, () => unknown>>> = {
  "hand-over-invalid": () => askOf(saying(() => "<html>")),
  "proxy-refused": refusingProxy,
  "proxy-unreachable": () => throughProxy({ scheme: "http", host: "127.0.0.1", port: closedPort, credentials: undefined }),
  "proxy-invalid": () => parseProxy("HTTPS_PROXY", "socks5://proxy.example.com:1080"),
  "not-permitted": () => needsRoot("hold"),
  "ask-failed": () => askOf((connection) => connection.destroy()),
  "proxies-unread": () => {
    throw proxiesUnread({ environment: "/etc/default/svc" }, "it is a named pipe");
  },
  "mount-untrusted": () => {
    const mount = { id: 1, device: "0:58", point: "/srv/agent", type: "fuse.sshfs", isReadOnly: false, servedBy: 1000 };
    throw barredFault("/srv/agent/svc", { kind: "barred", mount });
  },
  "trust-store-missing": () => loadTrust(undefined, ["/etc/ssl/certs/no-such-bundle.crt"]),
  "manager-unclear": () => detectManager([], "auto", agent),
  "host-unsupported": () => ended({ kind: "not-started", reason: "missing", message: "" }, "apt-get"),
  "database-broken": () => aptFault(saved("install-interrupted.txt"), "install svc-ent=15.4.6"),
  "plan-refused": () => aptFault(saved("simulate-unmet.txt"), "install svc-ent=16.2.0"),
  "package-untrusted": () =>
    aptFault(
      "E: There were unauthenticated packages and -y was used without --allow-unauthenticated\n",
      "install svc-ent=15.4.6",
    ),
  "package-mislabelled": () =>
    refuseMislabelled(
      [{ name: "svc-ent", version: "15.4.6", architecture: "amd64" }],
      [
        {
          path: "/var/cache/apt/archives/svc-ent_15.4.6_amd64.deb",
          is: { name: "evil", version: "6.6.6", architecture: "amd64" },
        },
      ],
    ),
  "download-failed": () => aptFault(saved("install-altered.txt"), "install svc-ent=15.4.6"),
  "manager-busy": () =>
    namingHolder(aptFault(saved("lock-asked.txt"), "install svc-ent=15.4.6"), holderIn(saved("lock-asked.txt")), "apt"),
  "no-space": () => aptFault(saved("install-no-space.txt"), "install svc-ent=15.4.6"),
  "read-only": () =>
    dpkgFault(
      "dpkg: error processing archive svc-ent_15.4.6_amd64.deb (--install):\n unable to create '/usr/bin/svc.dpkg-new' (while processing './usr/bin/svc'): Read-only file system\n",
      "--install svc-ent_15.4.6_amd64.deb",
    ),
  "os-failed": () =>
    unitControl(
      () => Promise.resolve({ kind: "exited", status: 1, stdout: "", stderr: "Failed to connect to bus: Connection refused\n" }),
      watchOf().stopwatch,
    ).show(unit),
  "file-failed": () =>
    writeFileAtomically("/no-such-directory/asked.json", "{}", { root: "/", mode: 0o644, fault: "file-failed" }),
  "path-untrusted": () => makeDirectory("/proc/self/cwd/var/lib/svc-upgrade", { root: "/srv/images/agent" }),
  bug: () => {
    throw new TypeError("Cannot read properties of undefined (reading 'kind')");
  },
};

/** A host whose unit fails whenever 15.4.6 is installed: found out by the function that is named. */
function illWithNew(at: "activate" | "health", options: FakeOptions = {}): FakeHost {
  const host = hostNow(options);
  const watchUnit: PassPorts["acting"]["watchUnit"] = async (begun) => {
    const watch = await host.ports.acting.watchUnit(begun);
    return {
      ...watch,
      activate: async () => (at === "activate" && isAt(host, "15.4.6") ? activate(effects, toActivate) : watch.activate()),
      proveHealth: async () => (at === "health" && isAt(host, "15.4.6") ? proveHealth(effects, toProve) : watch.proveHealth()),
      lastLines: () => Promise.resolve(["svc: cannot read its configuration", "svc.service: Failed with result 'exit-code'."]),
    };
  };
  return { ...host, ports: { ...host.ports, acting: { ...host.ports.acting, watchUnit } } };
}

const run = (): Promise<CommandResult> => Promise.resolve({ kind: "exited", status: 0, stdout: "", stderr: "" });

const effects: ActivateEffects & HealthEffects = {
  control: {
    ...unitControl(run),
    show: () => Promise.resolve({ ...running, active: "failed", sub: "failed", result: "exit-code", mainPid: 0 }),
    lastJob: () => Promise.resolve(undefined),
    lastLines: () => Promise.resolve(["svc: cannot read its configuration", "svc.service: Failed with result 'exit-code'."]),
  },
  run,
  stopwatch: watchOf().stopwatch,
  log: () => undefined,
  runningFile: () => Promise.resolve("new"),
};
const toProve: ToProve = { unit, before: "running", health: { settleSeconds: 30, command: [] } };
const toActivate: ToActivate = {
  unit,
  how: "restart",
  before: "running",
  since: { monotonicUs: 1000, realtimeMs: 1 },
  begunBy: "this pass",
};

function isAt(host: FakeHost, version: string): boolean {
  const present = host.present();
  return present.kind === "present" && present.packageVersion === version;
}

/** What a move meets on its way, and what becomes of it: by a pass over a host in memory. */
const moving: Readonly<Partial<Record<FaultCode, () => Played>>> = {
  overtaken: () => ({ host: hostNow({ holdMeanwhile: { until: undefined, reason: "year-end freeze" } }) }),
  "not-kept": () => ({
    settings: { ...settings(), keepPrevious: "require" },
    host: hostNow({
      before: (deed) => {
        if (deed === "fetch 15.4.5")
          throw aptFault("E: Version '15.4.5' for 'svc-ent' was not found\n", "download svc-ent=15.4.5");
      },
    }),
  }),
  interrupted: () => ({
    host: hostNow({
      breaksAt: {
        deed: "install 15.4.6 up",
        leaves: installed("15.4.6", { condition: "half-way" }),
        fault: asFault(thrownBy(() => ended({ kind: "killed", signal: "SIGKILL", stdout: "", stderr: "" }, "apt-get"))),
      },
    }),
  }),
  "install-failed": () => ({
    host: hostNow({
      breaksAt: {
        deed: "install 15.4.6 up",
        leaves: installed("15.4.6", { condition: "half-way" }),
        fault: aptFault(saved("install-failing-script.txt"), "install svc-ent=15.4.6"),
      },
    }),
  }),
  "verify-failed": () => ({ host: hostNow({ binarySays: "15.4.5" }) }),
  "activate-failed": () => ({ host: illWithNew("activate") }),
  unhealthy: () => ({ host: illWithNew("health") }),
  "way-back-failed": () => ({
    host: illWithNew("health", {
      breaksAt: {
        deed: "install 15.4.5 down from its file",
        leaves: installed("15.4.6"),
        fault: aptFault(saved("install-no-space.txt"), "install svc-ent=15.4.5"),
      },
    }),
  }),
};

function thrownBy(happens: () => unknown): unknown {
  try {
    return happens();
  } catch (caught) {
    return caught;
  }
}

async function faultOf(happens: () => unknown): Promise<FaultData> {
  try {
    const returned = await happens();
    // What is returned and not thrown is a Fault that was made, or one as data.
    return returned instanceof Error ? faultData(asFault(returned)) : (returned as FaultData);
  } catch (caught) {
    return faultData(asFault(caught));
  }
}

/** What is told of the fault in the journal. */
function lineOf(journal: string, code: string): string | undefined {
  return new RegExp(`^(.*) fault=${code}\\b`, "m").exec(journal)?.[1];
}

describe.skipIf(missing !== undefined)("through the program is met, and told in the words of the table", () => {
  test.each(Object.entries(met))("%s", async (code, scene) => {
    const { exit, journal } = await reached(stage, scene);
    // A state that cannot be read is put aside, and the pass goes on.
    expect(exit).toBe(code === "state-unreadable" ? 0 : faultTable[code as FaultCode].exit);
    // Below another root our commands name it, and need no sudo.
    const told = lineOf(journal, code)?.replaceAll(` --root ${folderName}`, "");
    expect(told).toBe(faults[code as keyof typeof faults].replaceAll("sudo svc-upgrade", "svc-upgrade"));
  });
});

describe("in a pass is met, and told in the words of the table", () => {
  test.each(Object.entries(moving))("%s", async (code, played) => {
    const { record, journal } = await reachedInMemory(played());
    expect(JSON.stringify(record)).toContain(`"code":"${code === "way-back-failed" ? "unhealthy" : code}"`);
    expect(lineOf(journal, code)).toBe(faults[code as keyof typeof faults]);
  });
});

describe.skipIf(missing !== undefined)("by what a pass does is met, and told in the words of the table", () => {
  test.each(Object.entries(thrown))("%s", async (code, happens) => {
    const fault = await faultOf(happens);
    expect(fault.code).toBe(code);
    expect(timeless(tellFault(fault).sentence, {})).toBe(faults[code as keyof typeof faults]);
  });
});

test("every fault is met", () => {
  expect([met, moving, thrown].flatMap(Object.keys).toSorted()).toEqual(Object.keys(faults).toSorted());
});

describe.skipIf(missing !== undefined)("what is told of the scene", () => {
  test.each(["channel-unreachable", "settings-invalid"] as const)("%s", async (code) => {
    expectGolden(code, await seen(stage, met[code] ?? {}));
  });

  test("undone", async () => expectGolden("undone", await seenInMemory(stage, { host: illWithNew("health") })));
});
