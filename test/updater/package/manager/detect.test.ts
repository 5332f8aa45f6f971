import { describe, expect, test } from "vitest";
import { Fault } from "../../../../src/rules/fault/fault.ts";
import { detectManager } from "../../../../src/updater/package/manager/detect.ts";
import type { PackageManager } from "../../../../src/updater/package/manager/manager.ts";
import type { InstalledPackage } from "../../../../src/updater/plan/host-facts.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";
import type { PackageVersion } from "../../../../src/rules/version/wrapped.ts";

const agent = "svc-ent" as PackageName;
const present: InstalledPackage = {
  kind: "present",
  packageVersion: "15.4.5" as PackageVersion,
  version: undefined,
  condition: "whole",
  isHeld: false,
};

type Here = "present" | "absent" | "not here" | "broken";

function managerThat(name: PackageManager["name"], here: Here): PackageManager {
  const unused = (): Promise<never> => Promise.reject(new Error("not asked for here"));
  return {
    name,
    inspect: () => {
      if (here === "not here") return Promise.reject(new Fault("host-unsupported", { message: "missing", hint: "" }));
      if (here === "broken") return Promise.reject(new Fault("database-broken", { message: "broken", hint: "" }));
      return Promise.resolve(here === "present" ? present : { kind: "absent" });
    },
    refresh: unused,
    offers: unused,
    buildOf: unused,
    sources: unused,
    simulate: unused,
    bring: unused,
    fetch: unused,
    install: unused,
    inspectAll: unused,
    installFiles: unused,
    objectionToBack: unused,
    holdAgain: unused,
    mend: unused,
  };
}

describe("which package manager is the right one", () => {
  test.each<{ title: string; apt: Here; yum: Here; name: string }>([
    { title: "the only one on the host, without the package", apt: "absent", yum: "not here", name: "apt" },
    { title: "the one that has the package", apt: "absent", yum: "present", name: "yum" },
  ])("$title", async ({ apt, yum, name }) => {
    const detected = await detectManager([managerThat("apt", apt), managerThat("yum", yum)], "auto", agent);
    expect(detected.manager.name).toBe(name);
  });

  test.each<{ title: string; apt: Here; yum: Here; says: string }>([
    { title: "none is there", apt: "not here", yum: "not here", says: "no package manager" },
    { title: "two claim the package", apt: "present", yum: "present", says: "apt and yum" },
  ])("is unclear where $title, and the setting is named", async ({ apt, yum, says }) => {
    const detecting = detectManager([managerThat("apt", apt), managerThat("yum", yum)], "auto", agent);
    await expect(detecting).rejects.toMatchObject({
      code: "manager-unclear",
      message: expect.stringContaining(says) as string,
      hint: expect.stringContaining("`manager:`") as string,
    });
  });

  test("is the one that the settings name, whatever else is there", async () => {
    const managers = [managerThat("apt", "absent"), managerThat("yum", "present")];
    expect((await detectManager(managers, "apt", agent)).manager.name).toBe("apt");
    await expect(detectManager(managers, "zypper", agent)).rejects.toMatchObject({
      code: "host-unsupported",
      message: "this version of svc-upgrade cannot work with zypper",
      hint: "set `manager:` to one of apt, yum",
    });
  });

  test("is not guessed past a broken database", async () => {
    const managers = [managerThat("apt", "broken"), managerThat("yum", "absent")];
    await expect(detectManager(managers, "auto", agent)).rejects.toMatchObject({ code: "database-broken" });
  });
});
