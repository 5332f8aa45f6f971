import { describe, expect, test } from "vitest";
import { Fault } from "../../../src/rules/fault/fault.ts";
import type { FaultCode } from "../../../src/rules/fault/table.ts";
import type { Change, PackageManager, Planned } from "../../../src/updater/package/manager/manager.ts";
import { foresee, type ToForesee } from "../../../src/updater/pass/foresee.ts";
import type { Move } from "../../../src/updater/plan/host-decision.ts";
import { installed, packageVersion, settings, version } from "./given.ts";

const upgrade: Move = {
  kind: "move",
  why: "window",
  told: "the window is open",
  target: { kind: "upgrade", from: version("15.4.5"), to: version("15.4.6") },
};
const repair: Move = {
  ...upgrade,
  target: { kind: "repair", from: version("15.4.5"), to: version("15.4.5"), why: "the binary is missing" },
  exactly: packageVersion("15.4.5-1"),
};
const keptFile = { packageVersion: packageVersion("15.4.5-1"), file: "svc-ent.deb", sha256: "a", bytes: 1 };

type Repositories = {
  readonly offers?: readonly string[] | FaultCode;
  readonly plan?: readonly Planned[] | FaultCode;
};

function thrown(code: FaultCode): Fault {
  return new Fault(code, { message: `the manager says ${code}`, hint: "look at it" });
}

function host({ offers = ["15.4.6-1"], plan = [] }: Repositories, more: Partial<ToForesee> = {}) {
  const simulated: Change[] = [];
  const manager: Pick<PackageManager, "name" | "root" | "offers" | "sources" | "simulate" | "inspectAll"> = {
    name: "apt",
    root: "/",
    sources: async () => [{ file: "/etc/apt/sources.list.d/agent.list", url: "http://packages.example.com" }],
    offers: async () => {
      if (typeof offers === "string") throw thrown(offers);
      return offers.map(packageVersion);
    },
    simulate: async (change) => {
      simulated.push(change);
      if (typeof plan === "string") throw thrown(plan);
      return plan;
    },
    inspectAll: async (names) => names.map(() => ({ kind: "absent" })),
  };
  const scene: ToForesee = {
    move: upgrade,
    settings: settings(),
    installed: installed("15.4.5-1"),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- whoever looks ahead may call nothing else of it
    manager: manager as PackageManager,
    beside: [],
    kept: [],
    checkKept: () => ({ kind: "unusable" }),
    listsAskedAt: () => 1000,
    ...more,
  };
  return { simulated, seen: foresee(scene) };
}

describe("what a move would come to", () => {
  test("is what the package manager makes of the package that a pass would choose", async () => {
    const { simulated, seen } = host({ offers: ["15.4.7-1", "15.4.6-2", "15.4.6-1"] });
    expect(await seen).toEqual({ kind: "possible", listsAt: 1000 });
    expect(simulated).toEqual([{ name: "svc-ent", to: "15.4.6-2", direction: "up", hold: "none", beside: [] }]);
  });

  test.each<readonly [string, Repositories, string]>([
    ["nobody offers it", { offers: ["15.4.5-1"] }, "not-offered"],
    ["the plan would take something away", { plan: "plan-refused" }, "plan-refused"],
    [
      "it would take along more than can be kept",
      { plan: Array.from({ length: 101 }, (_, at) => ({ name: `library${at}`, version: "1", architecture: undefined })) },
      "plan-refused",
    ],
  ])("is a refusal, with its fault, where %s", async (_title, repositories, code) => {
    expect(await host(repositories).seen).toMatchObject({ kind: "refused", fault: { code, causes: [] }, listsAt: 1000 });
  });

  test.each<readonly [string, Repositories, Partial<ToForesee>, string]>([
    ["the offers", { offers: "not-permitted" }, {}, "whether a repository offers it was not looked at: run it as root"],
    ["the plan", { plan: "not-permitted" }, {}, "what else its installation would change was not looked at: run it as root"],
    [
      "a tree in which others have a say",
      { offers: "path-untrusted" },
      {},
      "whether a repository offers it was not looked at: the manager says path-untrusted",
    ],
    [
      "lists that nobody has fetched yet",
      { offers: [] },
      { listsAskedAt: () => undefined },
      "whether a repository offers it was not looked at: this host has no package lists yet, and a pass fetches them",
    ],
  ])("is not claimed where this look may not ask: %s", async (_title, repositories, more, told) => {
    expect(await host(repositories, more).seen).toMatchObject({ kind: "not-looked", told });
  });

  test("asks no repository about a repair whose package is kept whole, and any about one that is damaged", async () => {
    const kept = host({ offers: "not-offered" }, { move: repair, kept: [keptFile], checkKept: () => ({ kind: "whole" }) });
    expect(await kept.seen).toEqual({ kind: "possible", listsAt: undefined });
    const damaged = host({ offers: ["15.4.5-1"] }, { move: repair, kept: [keptFile] });
    expect(await damaged.seen).toEqual({ kind: "possible", listsAt: 1000 });
    expect(damaged.simulated).toMatchObject([{ to: "15.4.5-1", direction: "same" }]);
  });

  test("hides no fault of its own", async () => {
    await expect(host({ offers: "bug" }).seen).rejects.toMatchObject({ code: "bug" });
  });
});
