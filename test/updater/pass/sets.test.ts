import { describe, expect, test } from "vitest";
import { faultData } from "../../../src/rules/fault/explain.ts";
import { Fault } from "../../../src/rules/fault/fault.ts";
import { companionsFound } from "../../../src/updater/pass/companions.ts";
import { verify } from "../../../src/updater/pass/verify.ts";
import type { InstalledPackage } from "../../../src/updater/plan/host-facts.ts";
import type { Companion } from "../../../src/updater/record/ledger.ts";
import type { StepInHand } from "../../../src/updater/record/state.ts";
import type { PackageName } from "../../../src/rules/settings/settings.ts";
import { closedSchedule, fakeHost, installed, packageVersion, settings, type FakeHost, type FakeOptions } from "./given.ts";
import { cutOffAt, half, ill, killed, left, offline, pass, script } from "./stage.ts";

const [old, wanted] = [packageVersion("15.4.5"), packageVersion("15.4.6")];
const libs: Companion = { name: "svc-ent-libs" as PackageName, from: old, to: wanted };
const extra: Companion = { name: "extra" as PackageName, from: undefined, to: wanted };
const before = { [libs.name]: installed("15.4.5") };
const after = { [libs.name]: installed("15.4.6"), [extra.name]: installed("15.4.6") };
const absent: InstalledPackage = { kind: "absent" };

const [up, down] = ["install 15.4.6 up", "install 15.4.5 down from its file"];

/** A host whose move to 15.4.6 exchanges one package and adds another. */
function setHost(more: FakeOptions = {}): FakeHost {
  return fakeHost({ companions: [libs, extra], others: before, ...more });
}

describe("keeping a set", () => {
  test("is asked for what the move brings, and then for what it leaves, each with where the move goes", async () => {
    const host = setHost();
    await pass(host);
    expect(host.kept).toEqual([
      { version: wanted, is: "offered", to: wanted },
      { version: old, is: "installed", to: wanted },
    ]);
    expect(left(host).kept.map(({ packageVersion: kept }) => kept)).toEqual([wanted, old]);
  });

  const objection = new Fault("plan-refused", {
    message: "svc-ent 15.4.5 could not be put back after it: extra Breaks: svc-ent (<< 15.4.6)",
    hint: "",
  });

  test("that could not be taken back is told in those words, where a rollback is merely preferred", async () => {
    const host = setHost({ fails: [["fetch 15.4.5", objection]] });
    const { outcome } = await pass(host);
    expect(outcome).toMatchObject({ kind: "moved", to: "15.4.6" });
    expect(host.lines).toContainEqual({
      level: "warning",
      sentence: `the move cannot be rolled back: ${objection.message}`,
      fields: { fault: "plan-refused" },
    });
    expect(left(host).kept.map(({ packageVersion: kept }) => kept)).toEqual([wanted]);
    expect([...host.files]).toEqual(["15.4.6"]);
  });

  test("that could not be taken back keeps the move from happening, where a rollback is required", async () => {
    const host = setHost({ fails: [["fetch 15.4.5", objection]] });
    const { outcome } = await pass(host, { values: { keep_previous: "require" } });
    expect(outcome).toMatchObject({
      kind: "failed",
      step: "keep",
      fault: { code: "not-kept", message: `the move could not be rolled back: ${objection.message}` },
      back: undefined,
    });
    expect(host.did).not.toContain(up);
  });

  test.each(["manager-busy", "busy", "bug"] as const)("is given up with what would stop the move as well: %s", async (code) => {
    const fault = new Fault(code, { message: "it is busy", hint: "" });
    const host = setHost({ fails: [["fetch 15.4.5", fault]] });
    expect((await pass(host)).outcome).toMatchObject({ kind: "failed", step: "keep", fault: { code }, back: undefined });
    expect(host.did).not.toContain(up);
  });
});

describe("a set that was installed", () => {
  test("is verified as a whole", async () => {
    const host = setHost();
    const { outcome } = await pass(host);
    expect(outcome).toMatchObject({ kind: "moved", to: "15.4.6" });
    expect(host.others).toEqual(after);
  });

  test.each([
    { title: "one that was to be exchanged", behind: libs.name, says: "svc-ent-libs is at 15.4.5" },
    { title: "one that was to be added", behind: extra.name, says: "extra is not installed" },
  ])("and left $title behind is undone, whatever the package manager says", async ({ behind, says }) => {
    const host = setHost({ leavesBehind: (deed) => (deed === up ? [behind] : []) });
    const { outcome } = await pass(host);
    expect(outcome).toMatchObject({
      kind: "undone",
      step: "verify",
      fault: { code: "verify-failed", message: `svc-ent is at 15.4.6, but not what moves along with it: ${says}` },
    });
    expect(host.did).toContain(down);
    expect(host.others[libs.name]).toEqual(installed("15.4.5"));
  });

  test("and was not taken back as a whole has a rollback that failed", async () => {
    const host = setHost({
      fails: [["health", ill]],
      leavesBehind: (deed) => (deed === down ? [libs.name] : []),
    });
    const { outcome } = await pass(host);
    expect(outcome).toMatchObject({ kind: "failed", step: "health", back: { kind: "failed", step: "back-verify" } });
  });

  test("is back though what it added stays", async () => {
    const host = setHost({ fails: [["health", ill]] });
    const { outcome } = await pass(host);
    expect(outcome).toMatchObject({ kind: "undone", step: "health", to: "15.4.5" });
    expect(host.others).toEqual({ [libs.name]: installed("15.4.5"), [extra.name]: installed("15.4.6") });
  });

  test("is in place where its manager was ended when all of it was done", async () => {
    const host = setHost({ breaksAt: { deed: up, leaves: installed("15.4.6"), fault: killed, others: after } });
    expect((await pass(host)).outcome).toMatchObject({ kind: "moved", to: "15.4.6" });
    expect(host.did).not.toContain(down);
  });

  test("is not in place where its manager was ended and one is half-way", async () => {
    const host = setHost({
      breaksAt: { deed: up, leaves: installed("15.4.6"), fault: killed, others: { ...after, [libs.name]: half } },
    });
    expect((await pass(host)).outcome).toMatchObject({ kind: "undone", step: "install", to: "15.4.5" });
    expect(host.did).toContain(down);
  });
});

describe("a set whose installation failed", () => {
  test("is untouched where all of it is as before: there is nothing to take back", async () => {
    const host = setHost({ breaksAt: { deed: up, leaves: installed("15.4.5"), fault: script, others: before } });
    const { outcome } = await pass(host);
    expect(outcome).toMatchObject({ kind: "failed", step: "install", back: undefined });
    expect(host.did.at(-1)).toBe(up);
  });

  test.each([
    { title: "one is at its new version", others: { [libs.name]: installed("15.4.6") } },
    { title: "one is gone", others: { [libs.name]: absent } },
  ])("is not untouched where the agent's package is, and $title: it is taken back", async ({ others }) => {
    const host = setHost({ breaksAt: { deed: up, leaves: installed("15.4.5"), fault: script, others } });
    const { outcome } = await pass(host);
    expect(outcome).toMatchObject({ kind: "undone", step: "install", to: "15.4.5" });
    expect(host.others[libs.name]).toEqual(installed("15.4.5"));
  });

  test("is untouched though what it adds is there, and whole: that stays", async () => {
    const others = { ...before, [extra.name]: installed("15.4.6") };
    const host = setHost({ breaksAt: { deed: up, leaves: installed("15.4.5"), fault: script, others } });
    expect((await pass(host)).outcome).toMatchObject({ kind: "failed", back: undefined });
    expect(host.did.at(-1)).toBe(up);
  });

  test("is not untouched where what it adds is half-way: that is put in order with the rollback", async () => {
    const others = { ...before, [extra.name]: half };
    const host = setHost({ breaksAt: { deed: up, leaves: installed("15.4.5"), fault: script, others } });
    expect((await pass(host)).outcome).toMatchObject({ kind: "undone", step: "install", to: "15.4.5" });
    expect(host.others).toEqual({ ...before, [extra.name]: installed("15.4.6") });
  });

  test("has a rollback that failed where what it adds stays half-way", async () => {
    const others = { ...before, [extra.name]: half };
    const host = setHost({
      breaksAt: { deed: up, leaves: installed("15.4.5"), fault: script, others },
      leavesBehind: () => [extra.name],
    });
    const says = "svc-ent is at 15.4.5, but not what moves along with it: extra is at 15.4.6, only half installed";
    expect((await pass(host)).outcome).toMatchObject({
      kind: "failed",
      back: { kind: "failed", step: "back-verify", fault: { code: "verify-failed", message: says } },
    });
  });
});

describe("a set that did not finish", () => {
  const cause = { step: "health", fault: faultData(ill), evidence: [] } as const;

  const rows: readonly {
    readonly title: string;
    readonly agent: string;
    readonly others: Readonly<Record<string, InstalledPackage>>;
    readonly more?: Partial<StepInHand>;
    readonly did: readonly string[];
    readonly ended: string;
  }[] = [
    { title: "before anything of it was done", agent: "15.4.5", others: before, did: [], ended: "unchanged" },
    {
      title: "with the agent's package alone in place: goes on with all of it",
      agent: "15.4.6",
      others: before,
      did: ["install 15.4.6 same from its file", "activate", "health"],
      ended: "finished",
    },
    {
      title: "with one of it moved on since: leaves that alone",
      agent: "15.4.6",
      others: { ...after, [libs.name]: installed("15.4.7") },
      did: ["activate", "health"],
      ended: "finished",
    },
    {
      title: "on its rollback, with all of it back",
      agent: "15.4.5",
      others: { ...before, [extra.name]: installed("15.4.6") },
      more: { cause, step: "back-install" },
      did: ["activate", "health"],
      ended: "undone",
    },
  ];

  test.each(rows)("is ended without a network: $title", async ({ agent, others, more, did, ended }) => {
    const host = setHost({ installed: installed(agent), others, answer: offline, files: ["15.4.5", "15.4.6"] });
    const { recovered } = await pass(host, { state: cutOffAt("install", more) });
    expect(recovered).toMatchObject({ ended });
    expect(host.did.filter((deed) => /^(?:install|activate|health)/.test(deed))).toEqual(did);
  });

  test("goes back as a whole where nothing may begin any more", async () => {
    const others = { [libs.name]: installed("15.4.6") };
    const files = ["15.4.5", "15.4.6"];
    const host = setHost({ schedule: closedSchedule, installed: installed("15.4.5"), others, answer: offline, files });
    expect((await pass(host, { state: cutOffAt("install") })).recovered).toMatchObject({ ended: "undone" });
    expect(host.did).toContain("install 15.4.5 same from its file");
    expect(host.others[libs.name]).toEqual(installed("15.4.5"));
  });
});

describe("what moves along, as it is now", () => {
  test("is found with one question, in its order", async () => {
    const { ports } = setHost({ others: { [extra.name]: half } });
    const { manager } = await ports.findManager();
    expect(await companionsFound({ manager, ports })).toEqual([
      { ...libs, found: absent },
      { ...extra, found: half },
    ]);
  });

  test("is not asked for where nothing does", async () => {
    const { ports } = fakeHost();
    const { manager } = await ports.findManager();
    const inspectAll = (): never => {
      throw new Error("nobody is asked");
    };
    expect(await companionsFound({ manager: { ...manager, inspectAll }, ports })).toEqual([]);
  });

  test.each<[side: "to" | "from", others: Readonly<Record<string, InstalledPackage>>, says: string | undefined]>([
    ["to", after, undefined],
    ["to", before, "svc-ent-libs is at 15.4.5, extra is not installed"],
    ["to", { ...after, [extra.name]: half }, "extra is at 15.4.6, only half installed"],
    ["to", { ...after, [libs.name]: installed("15.4.7") }, undefined],
    ["from", before, undefined],
    ["from", { ...before, [extra.name]: installed("15.4.6") }, undefined],
    ["from", after, "svc-ent-libs is at 15.4.6"],
    ["from", {}, "svc-ent-libs is not installed"],
  ])("is verified at the side %j", async (side, others, says) => {
    const at = side === "to" ? wanted : old;
    const { ports } = setHost({ installed: installed(at), others });
    const { manager } = await ports.findManager();
    const verified = verify(at, side, { settings: settings(), manager, ports });
    if (says === undefined) await expect(verified).resolves.toBeUndefined();
    else {
      const message = `svc-ent is at ${at}, but not what moves along with it: ${says}`;
      await expect(verified).rejects.toMatchObject({ code: "verify-failed", message });
    }
  });
});
