import { describe, expect, test } from "vitest";
import { verify } from "../../../src/updater/pass/verify.ts";
import type { Binary, InstalledPackage } from "../../../src/updater/plan/host-facts.ts";
import { fakeHost, installed, packageVersion, settings, version } from "./given.ts";

const to = packageVersion("15.4.6");

async function verified(found: InstalledPackage, binary: Binary = { kind: "not-asked" }): Promise<void> {
  const { ports } = fakeHost({ installed: found });
  const { manager } = await ports.findManager();
  await verify(to, "to", { settings: settings(), manager, ports: { ...ports, askBinary: async () => binary } });
}

describe("an installation is proved by", () => {
  test("the package that was wanted, whole", async () => {
    await expect(verified(installed("15.4.6"))).resolves.toBeUndefined();
  });

  test.each<[title: string, found: InstalledPackage, says: string]>([
    ["none", { kind: "absent" }, "svc-ent is not installed"],
    ["another version", installed("15.4.5"), "svc-ent is at 15.4.5, not at 15.4.6"],
    ["another package of its version", installed("15.4.6-1"), "svc-ent is at 15.4.6-1, not at 15.4.6"],
    ["half of it", installed("15.4.6", { condition: "half-way" }), "svc-ent is at 15.4.6, only half installed, not at 15.4.6"],
  ])("no less: %s", async (_title, found, says) => {
    await expect(verified(found)).rejects.toMatchObject({ code: "verify-failed", message: `after the installation ${says}` });
  });

  test("any binary of a package that wraps no version", async () => {
    const { ports } = fakeHost({ installed: installed("2026") });
    const { manager } = await ports.findManager();
    const askBinary = async (): Promise<Binary> => ({ kind: "answers", version: version("15.4.5") });
    await verify(packageVersion("2026"), "to", { settings: settings(), manager, ports: { ...ports, askBinary } });
    expect(await askBinary()).toMatchObject({ kind: "answers" });
  });

  test.each<[title: string, binary: Binary, says: string | undefined]>([
    ["that nobody knows how to ask", { kind: "not-asked" }, undefined],
    ["that is missing", { kind: "missing" }, "is missing"],
    ["that does not run", { kind: "broken", why: "it dies" }, "does not run: it dies"],
    ["that says another one", { kind: "answers", version: version("15.4.5") }, "says it is 15.4.5"],
  ])("a binary %s", async (_title, binary, says) => {
    if (says === undefined) await expect(verified(installed("15.4.6"), binary)).resolves.toBeUndefined();
    else await expect(verified(installed("15.4.6"), binary)).rejects.toMatchObject({ message: expect.stringContaining(says) });
  });
});
