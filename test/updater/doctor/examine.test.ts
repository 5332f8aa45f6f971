import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Check } from "../../../src/updater/doctor/check.ts";
import { examine } from "../../../src/updater/doctor/examine.ts";
import { networkUnproved } from "../../../src/updater/doctor/network.ts";
import type { Scope } from "../../../src/updater/doctor/scope.ts";
import { Fault } from "../../../src/rules/fault/fault.ts";
import { pathsBelow } from "../../../src/machine/files/paths.ts";
import { encodeState } from "../../../src/updater/record/encode-state.ts";
import { emptyState } from "../../../src/updater/record/state.ts";
import { emptyLedger, encodeLedger } from "../../../src/updater/record/ledger.ts";
import type { PackageName } from "../../../src/rules/settings/settings.ts";
import type { Change } from "../../../src/updater/package/manager/manager.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";
import { installed, now, packageVersion, serves, version } from "../pass/given.ts";
import { examiner, manager } from "./given.ts";

const scratch = scratchFolder();
let roots = 0;

const order =
  "settings route proxy dns tls channel answer schedule package manager offer previous disk agent binary timer clock rivals";
const proved = networkUnproved("not asked in this test");

type Files = Readonly<Record<string, string>>;

function scope(
  changes: Partial<Scope> = {},
  files: Files = { "/etc/svc-upgrade/10.yaml": "endpoint: https://proxy.example.com\n" },
): Scope {
  const root = `${scratch}/${(roots += 1)}`;
  mkdirSync(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(`${root}${path}`), { recursive: true });
    writeFileSync(`${root}${path}`, text);
  }
  return {
    sources: { paths: pathsBelow(root), environment: {}, flags: [], ownerUid: process.getuid?.() ?? 0, log: () => undefined },
    reach: "other-root",
    run: () => Promise.reject(new Error("no program is run below another root")),
    readClock: () => ({ now, sinceBootSeconds: 100, bootId: "boot", isSynchronised: false }),
    builtAt: 0,
    managers: [manager({ offers: [packageVersion("15.4.6"), packageVersion("15.4.5")] })],
    examiners: [examiner()],
    proveNetwork: async () => ({ checks: proved, answer: serves("15.4.6") }),
    ...changes,
  };
}

async function look(of: Scope): Promise<ReadonlyMap<string, Check>> {
  const checks: Check[] = [];
  for await (const check of examine(of)) checks.push(check);
  expect(checks.map(({ name }) => name).join(" ")).toBe(order);
  return new Map(checks.map((check) => [check.name, check]));
}

function verdicts(checks: ReadonlyMap<string, Check>, verdict: Check["verdict"]): string {
  return [...checks.values()]
    .filter((check) => check.verdict === verdict)
    .map(({ name }) => name)
    .join(" ");
}

const broken = (): Promise<never> => Promise.reject(new Fault("os-failed", { message: "it broke", hint: "look at it" }));

describe("an examination", () => {
  test("tells every check in its order, and skips what cannot be asked below another root", async () => {
    const checks = await look(scope());
    expect(verdicts(checks, "failed")).toBe("schedule");
    expect(verdicts(checks, "skipped")).toBe("route proxy dns tls channel answer agent binary timer rivals");
    expect(checks.get("timer")?.told).toBe("units and programs of another root are never run");
    expect(checks.get("offer")?.told).toContain("the channel serves 15.4.6, and a repository offers it");
  });

  test("simulates the repair that a pass would run, with what moved along", async () => {
    const half = installed("15.4.5-2", { condition: "half-way" });
    const simulated: Change[] = [];
    const managers = [
      manager({
        installed: half,
        offers: [packageVersion("15.4.6-1"), packageVersion("15.4.5-1")],
        simulate: async (change) => (simulated.push(change), []),
      }),
    ];
    const beside = ["svc-libs" as PackageName];
    const of = scope({ managers }, { "/var/lib/svc-upgrade/ledger.json": encodeLedger({ ...emptyLedger, beside }) });
    expect((await look(of)).get("offer")?.told).toContain("half installed, so the next pass puts 15.4.5 in place");
    expect(simulated[0]).toEqual({ name: "svc-ent", to: "15.4.5-1", direction: "down", hold: "none", beside });
  });

  test("goes on behind settings that are wrong, with those that are right", async () => {
    const checks = await look(
      scope({}, { "/etc/svc-upgrade/10.yaml": "endpoint: https://proxy.example.com\nunscheduled: no\n" }),
    );
    expect(verdicts(checks, "failed")).toBe("settings schedule");
    expect(checks.get("offer")?.verdict).toBe("ok");
  });

  test("goes on without an endpoint, by what the channel said to an earlier pass", async () => {
    const state = { ...emptyState, lastContact: { at: now, served: version("15.4.7"), isCritical: false } };
    const checks = await look(scope({}, { "/var/lib/svc-upgrade-decide/state.json": encodeState(state) }));
    expect(verdicts(checks, "failed")).toBe("settings schedule");
    expect(checks.get("route")).toMatchObject({ verdict: "skipped", told: "no endpoint is known: see settings" });
    expect(checks.get("offer")?.told).toContain("15.4.7");
  });

  test("goes on behind a walk over the network that breaks off", async () => {
    const checks = await look(scope({ proveNetwork: broken }));
    expect(checks.get("route")).toMatchObject({ verdict: "failed", told: "it broke; look at it" });
    expect(verdicts(checks, "failed")).toBe("route schedule");
  });

  test("gives the command within a hop's hint its own line", async () => {
    const hop: Check = { name: "tls", verdict: "failed", told: "closed", fix: "open it: `chmod 0644 /x`" };
    const checks = proved.map((check) => (check.name === "tls" ? hop : check));
    const found = await look(scope({ proveNetwork: async () => ({ checks, answer: undefined }) }));
    expect(found.get("tls")).toEqual({
      name: "tls",
      verdict: "failed",
      told: "closed; open it",
      fix: "chmod 0644 /x",
    });
  });

  test("gives no line to a hop whose hint has nothing to type", async () => {
    const hop: Check = {
      name: "tls",
      verdict: "failed",
      told: "closed",
      fix: "set `endpoint` to an https URL, or `downgrade: allow`",
    };
    const checks = proved.map((check) => (check.name === "tls" ? hop : check));
    const found = await look(scope({ proveNetwork: async () => ({ checks, answer: undefined }) }));
    expect(found.get("tls")).toEqual({ name: "tls", verdict: "failed", told: `closed; ${hop.fix}` });
  });

  test("says once that no manager is there, and skips what only that knows", async () => {
    const checks = await look(scope({ managers: [] }));
    expect(verdicts(checks, "failed")).toBe("schedule manager");
    expect(checks.get("offer")).toMatchObject({ verdict: "skipped", told: expect.stringContaining("see manager") as string });
  });

  test("keeps the disk's line where the repositories cannot be asked", async () => {
    const proveNetwork = async (): ReturnType<Scope["proveNetwork"]> => {
      // They fail long before anybody may want to know what they offer.
      await sleep(20);
      return { checks: proved, answer: serves("15.4.6") };
    };
    const checks = await look(scope({ managers: [{ ...manager(), offers: broken }], proveNetwork }));
    expect(verdicts(checks, "failed")).toBe("schedule offer previous");
    expect(checks.get("disk")?.verdict).toBe("ok");
  });

  test("tells each thing that throws as its own failure", async () => {
    const checks = await look(
      scope({ examiners: [examiner({ audit: broken, needs: broken, rivals: broken })], reach: "machine", run: broken }),
    );
    for (const name of ["manager", "disk", "agent", "binary", "timer", "clock", "rivals", "schedule"]) {
      expect(checks.get(name)).toEqual({ name, verdict: "failed", told: "it broke; look at it" });
    }
  });
});
