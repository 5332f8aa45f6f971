import { describe, expect, test } from "vitest";
import { Fault } from "../../../src/rules/fault/fault.ts";
import type { Binary } from "../../../src/updater/plan/host-facts.ts";
import { closedSchedule, fakeHost, installed, now, packageVersion, serves, stateWith, version } from "./given.ts";
import { full, half, ill, keptOf, killed, left, pass, script } from "./stage.ts";

const back = ["await to-its-end", "install 15.4.5 down from its file", "activate", "health"];

describe("a version that fails", () => {
  test.each([
    ["is not well", { fails: [["health", ill]] }, "health"],
    ["cannot be activated", { fails: [["activate", new Fault("activate-failed", { message: "no", hint: "" })]] }, "activate"],
    ["has a package script that fails", { breaksAt: { deed: "install 15.4.6 up", leaves: half, fault: script } }, "install"],
  ] as const)("is undone and rejected where it %s", async (_title, options, step) => {
    const host = fakeHost(options);
    const { outcome } = await pass(host);
    expect(outcome).toMatchObject({ kind: "undone", step, left: "15.4.6", to: "15.4.5", evidence: ["panic: no such option"] });
    expect(outcome).toMatchObject({ seconds: step === "install" ? 3 : 6 });
    expect(host.lines.filter(({ level }) => level !== "debug").slice(1)).toMatchObject([
      { level: "error", fields: { step } },
      { level: "warning", sentence: "rolling back to svc-ent 15.4.5" },
      { level: "warning", sentence: expect.stringContaining("from 15.4.6 to 15.4.5; svc.service was restarted") },
    ]);
    expect(host.did.slice(-4)).toEqual(back);
    expect(host.present()).toMatchObject({ packageVersion: "15.4.5" });
    const build = { sha256: "sum of 15.4.6", bytes: 1 };
    expect(left(host).rejected).toMatchObject([{ served: "15.4.6", packageVersion: "15.4.6", build }]);
    expect(left(host).kept.map(({ packageVersion: kept }) => kept)).toEqual(["15.4.5"]);
    expect([...host.files]).toEqual(["15.4.5"]);
    const next = await pass(host, { state: left(host) });
    expect(next.decision).toMatchObject({ kind: "stay", why: "rejected" });
  });

  test("is left where the agent was ill before: it is not to blame", async () => {
    const host = fakeHost({ agent: "unhealthy", fails: [["health", ill]] });
    const { outcome } = await pass(host);
    expect(outcome).toMatchObject({ kind: "failed", step: "health", back: { kind: "not-tried" } });
    expect(outcome).toMatchObject({ back: { why: "the agent was unhealthy before the move either" } });
    expect(host.lines.at(-1)).toMatchObject({ level: "error", sentence: expect.stringContaining("not rolled back: ") });
    expect(host.present()).toMatchObject({ packageVersion: "15.4.6" });
    expect(left(host).rejected).toEqual([]);
    expect(left(host).needsOperator).toBeUndefined();
  });

  test("is not rejected where somebody ended the package manager, and the rollback survives the same", async () => {
    const host = fakeHost({
      breaksAt: { deed: "install 15.4.6 up", leaves: half, fault: killed },
      fails: [["install 15.4.5 down from its file", killed]],
    });
    expect((await pass(host)).outcome).toMatchObject({ kind: "undone", step: "install", fault: { code: "interrupted" } });
    expect(host.present()).toMatchObject({ packageVersion: "15.4.5" });
    expect(left(host).rejected).toEqual([]);
    expect(left(host).backoff).toMatchObject({ served: "15.4.6" });
    expect(host.lines).toContainEqual({
      level: "warning",
      sentence: "dpkg was ended by SIGKILL; trying once more",
      fields: {},
    });
  });

  test("stays where the change of it failed through no fault of its own, once it is whole", async () => {
    const host = fakeHost({ fails: [["activate", new TypeError("odd")]] });
    const { outcome } = await pass(host);
    expect(outcome).toMatchObject({ kind: "failed", back: { kind: "not-tried", why: "the version is not to blame" } });
    expect(host.present()).toMatchObject({ packageVersion: "15.4.6" });
  });

  test("is undone where its installation failed, though its package says that it is whole", async () => {
    const host = fakeHost({ breaksAt: { deed: "install 15.4.6 up", leaves: installed("15.4.6"), fault: script } });
    expect((await pass(host)).outcome).toMatchObject({ kind: "undone", step: "install", fault: { code: "install-failed" } });
  });

  test("is to blame for a binary of another version, though the package manager was ended when its work was done", async () => {
    const breaksAt = { deed: "install 15.4.6 up", leaves: installed("15.4.6"), fault: killed };
    const host = fakeHost({ breaksAt, binarySays: "15.4.5" });
    expect((await pass(host)).outcome).toMatchObject({ kind: "undone", step: "verify" });
    expect(left(host).rejected).toMatchObject([{ served: "15.4.6" }]);
  });

  test("is replaced where the old package is whole again, and its binary is not", async () => {
    const host = fakeHost({ breaksAt: { deed: "install 15.4.6 up", leaves: installed("15.4.5"), fault: full } });
    const askBinary = async (): Promise<Binary> =>
      host.did.at(-1) === "install 15.4.6 up" ? { kind: "broken", why: "it dies" } : host.ports.askBinary();
    expect((await pass({ ports: { ...host.ports, askBinary } })).outcome).toMatchObject({ kind: "undone", step: "install" });
  });

  test.each([
    ["was ended", killed, installed("15.4.6")],
    ["failed", full, installed("15.4.5")],
  ] as const)("is replaced where the installation %s, and the database cannot be read then", async (_title, fault, leaves) => {
    const host = fakeHost({ breaksAt: { deed: "install 15.4.6 up", leaves, fault } });
    const found = await host.ports.findManager();
    const inspect: typeof found.manager.inspect = (name) =>
      host.did.at(-1) === "install 15.4.6 up" ? Promise.reject(full) : found.manager.inspect(name);
    const findManager = async (): Promise<typeof found> => ({ ...found, manager: { ...found.manager, inspect } });
    expect((await pass({ ports: { ...host.ports, findManager } })).outcome).toMatchObject({ kind: "undone", step: "install" });
  });

  test("is started again where the package manager has put the old files back, and has stopped it before", async () => {
    const host = fakeHost({ breaksAt: { deed: "install 15.4.6 up", leaves: installed("15.4.5"), fault: full } });
    const watchAgent = async (): Promise<"running" | "stopped"> =>
      host.did.includes("install 15.4.6 up") ? "stopped" : "running";
    const { outcome } = await pass({ ...host, ports: { ...host.ports, watchAgent } });
    expect(outcome).toMatchObject({ kind: "failed", step: "install", back: undefined });
    expect(host.did.slice(-2)).toEqual(["install 15.4.6 up", "activate"]);
    expect(host.lines.at(-1)).toMatchObject({ level: "notice", sentence: "svc.service was restarted and runs it" });
  });

  test.each([
    ["was absent and is", { kind: "absent" }, { kind: "absent" }, undefined],
    ["was absent and is half there", { kind: "absent" }, half, { kind: "not-tried" }],
    ["was there and is gone", installed("15.4.5"), { kind: "absent" }, "undone"],
  ] as const)("is taken back only where something was changed: it %s", async (_title, found, leaves, ends) => {
    const host = fakeHost({ installed: found, breaksAt: { deed: "install 15.4.6 up", leaves, fault: full } });
    const { outcome } = await pass(host, { asked: { when: "now", absent: "install" } });
    if (ends === "undone") expect(outcome).toMatchObject({ kind: "undone", to: "15.4.5" });
    else expect(outcome).toMatchObject({ kind: "failed", back: ends });
  });

  test("is loud and goes no further where the rollback fails too", async () => {
    const host = fakeHost({ fails: [["health", ill, 2]] });
    const { outcome } = await pass(host);
    expect(outcome).toMatchObject({ kind: "failed", step: "health", back: { kind: "failed", step: "back-health" } });
    const state = left(host);
    expect(state.needsOperator?.why).toContain("svc.service is failed");
    expect(host.lines.some(({ level, sentence }) => level === "error" && sentence.startsWith("the rollback failed"))).toBe(true);
    const did = host.did.length;
    expect((await pass(host, { state })).decision.kind).toBe("stay");
    expect(host.did.slice(did).filter((deed) => deed.startsWith("install"))).toEqual([]);
  });

  test.each([
    ["await to-its-end", "back-install"],
    ["install 15.4.5 down from its file", "back-install"],
  ])("tells at which step the rollback failed: %s", async (deed, step) => {
    const host = fakeHost({ breaksAt: { deed: "install 15.4.6 up", leaves: half, fault: script }, fails: [[deed, ill]] });
    expect((await pass(host)).outcome).toMatchObject({ kind: "failed", step: "install", back: { kind: "failed", step } });
  });

  test("is proved by how the agent was before the move, and not by how the move left it", async () => {
    const host = fakeHost({ fails: [["health", ill]] });
    const asked: unknown[] = [];
    const watchUnit: typeof host.ports.acting.watchUnit = (begun) => {
      asked.push(begun?.before);
      return host.ports.acting.watchUnit(begun);
    };
    await pass({ ...host, ports: { ...host.ports, acting: { ...host.ports.acting, watchUnit } } });
    expect(asked).toEqual([undefined, "running"]);
  });

  test("says so where the kept package is of no use, and why", async () => {
    const host = fakeHost({ fails: [["health", ill]] });
    const ports = { ...host.ports, checkKept: () => ({ kind: "unusable", why: "its sum is another" }) as const };
    const { outcome } = await pass({ ...host, ports });
    expect(outcome).toMatchObject({ kind: "failed", back: { kind: "not-tried" } });
    expect(host.lines).toContainEqual(
      expect.objectContaining({ level: "warning", sentence: "the kept package of 15.4.5 is of no use: its sum is another" }),
    );
  });

  test("says so where nothing is at hand to go back to", async () => {
    const host = fakeHost({
      fails: [
        ["fetch 15.4.5", new Fault("not-offered", { message: "nobody offers 15.4.5", hint: "" })],
        ["health", ill],
      ],
    });
    const { outcome } = await pass(host);
    expect(
      host.lines.some(({ sentence }) =>
        sentence.startsWith("the move cannot be rolled back: the package of svc-ent 15.4.5 cannot be had"),
      ),
    ).toBe(true);
    expect(outcome).toMatchObject({ kind: "failed", back: { kind: "not-tried", why: expect.stringContaining("not at hand") } });
    expect(left(host).rejected).toHaveLength(1);
  });
});

describe("what is kept", () => {
  test("is fetched once: from the second move on the previous package is there", async () => {
    const host = fakeHost();
    await pass(host);
    expect([...host.files].toSorted()).toEqual(["15.4.5", "15.4.6"]);
    const files = ["15.4.5", "15.4.6"];
    const later = fakeHost({ installed: installed("15.4.6"), offers: ["15.4.7"], files, answer: serves("15.4.7") });
    await pass(later, { state: left(host) });
    expect(later.did.filter((deed) => deed.startsWith("fetch"))).toEqual(["fetch 15.4.7"]);
    expect([...later.files].toSorted()).toEqual(["15.4.6", "15.4.7"]);
  });

  test("is nothing where the settings say so, and goes", async () => {
    const host = fakeHost({ files: ["15.4.5", "15.4.4"] });
    await pass(host, { values: { keep_previous: "never" }, state: stateWith({ kept: keptOf("15.4.5") }) });
    expect(host.did.filter((deed) => deed.startsWith("fetch"))).toEqual([]);
    expect([...host.files]).toEqual([]);
    expect(left(host).kept).toEqual([]);
  });

  test("is what rollback installs, without a repository", async () => {
    const kept = keptOf("15.4.6", "15.4.5");
    const previous = { version: version("15.4.5"), packageVersion: packageVersion("15.4.5"), leftAt: now - 60 };
    const host = fakeHost({ installed: installed("15.4.6"), files: ["15.4.5", "15.4.6"], schedule: closedSchedule });
    const { outcome } = await pass(host, { asked: { when: "back", absent: "stop" }, state: stateWith({ kept, previous }) });
    expect(outcome).toMatchObject({ kind: "moved", from: "15.4.6", to: "15.4.5" });
    expect(host.did).toEqual(["install 15.4.5 down from its file", "activate", "health"]);
    expect(host.saved.find(({ step }) => step?.step === "install")?.step).toMatchObject({ to: "15.4.5", agentBefore: "running" });
  });
});

describe("a move that was decided", () => {
  test("does not begin once its window is too short for it, as after a slow download", async () => {
    const host = fakeHost();
    const readClock = (): ReturnType<typeof host.ports.readClock> => {
      const hour = host.did.includes("fetch 15.4.5") ? 3600 : 0;
      return { ...host.ports.readClock(), now: now + hour };
    };
    const { outcome } = await pass({ ports: { ...host.ports, readClock } });
    expect(outcome).toMatchObject({ kind: "failed", fault: { code: "overtaken" }, back: undefined });
    expect(host.did).not.toContain("install 15.4.6 up");
  });

  test("does not begin once the pass was asked to stop, though all is at hand", async () => {
    const stop = new AbortController();
    const host = fakeHost({ stopping: stop.signal, before: (deed) => deed === "fetch 15.4.5" && stop.abort() });
    const { outcome } = await pass(host);
    expect(outcome).toMatchObject({ kind: "failed", step: "keep", fault: { code: "stopping" }, evidence: [], back: undefined });
    expect(host.did).not.toContain("install 15.4.6 up");
    expect(left(host).step).toBeUndefined();
  });

  test("does not begin once a hold was set while it prepared", async () => {
    const host = fakeHost({ holdMeanwhile: { until: undefined, reason: undefined } });
    const { outcome } = await pass(host);
    expect(outcome).toMatchObject({ kind: "failed", fault: { code: "overtaken" }, back: undefined });
    expect(host.did).not.toContain("install 15.4.6 up");
    expect(left(host).backoff).toBeUndefined();
  });
});
