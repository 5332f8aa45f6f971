import { describe, expect, test } from "vitest";
import {
  downloadArgv,
  fetchArgv,
  inspectArgv,
  installArgv,
  keepEdited,
  lockArgv,
  refreshArgv,
  simulateArgv,
  withOptions,
} from "../../../src/package/apt/argv.ts";
import { installFileArgv, rehearseFileArgv } from "../../../src/package/apt/offline-argv.ts";
import type { Change } from "../../../src/package/manager.ts";
import type { PackageName } from "../../../src/settings/settings.ts";
import type { PackageVersion } from "../../../src/version/wrapped.ts";

const agent = "svc-ent" as PackageName;
const up: Change = { name: agent, to: "15.4.6-1" as PackageVersion, direction: "up", hold: "none" };

describe("the calls of apt", () => {
  test("an installation asks nothing, removes nothing, and names the exact version last", () => {
    const argv = installArgv(up);
    expect(argv.slice(0, 3)).toEqual(["apt-get", "-qq", "-y"]);
    expect(argv).toContain("--no-remove");
    // With it set in its own configuration, apt fails as soon as something could be removed and may not be.
    expect(argv).toContain("APT::Get::AutomaticRemove=false");
    expect(argv).toContain("Dpkg::Options::=--force-confdef");
    expect(argv).toContain("Dpkg::Options::=--force-confold");
    expect(argv.slice(-2)).toEqual(["install", "svc-ent=15.4.6-1"]);
  });

  const flags = ["--allow-downgrades", "--reinstall", "--allow-change-held-packages"];
  test.each<{ title: string; change: Change; has: readonly string[] }>([
    { title: "an upgrade takes no flag", change: up, has: [] },
    { title: "a downgrade may go down", change: { ...up, direction: "down" }, has: ["--allow-downgrades"] },
    { title: "a repair installs again", change: { ...up, direction: "same" }, has: ["--reinstall"] },
    { title: "a lifted hold may change", change: { ...up, hold: "lifted" }, has: ["--allow-change-held-packages"] },
  ])("$title, in the simulation as in the installation", ({ change, has }) => {
    for (const argv of [installArgv(change), simulateArgv(change)])
      expect(argv.filter((word) => flags.includes(word))).toEqual(has);
  });

  test("a simulation may plan removals, so that it can name them", () => {
    expect(simulateArgv(up)).toContain("-s");
    expect(simulateArgv(up)).not.toContain("--no-remove");
  });

  test("a refresh reads one source file and cleans up no other list", () => {
    const argv = refreshArgv("/etc/apt/sources.list.d/agent.sources");
    expect(argv).toContain("Dir::Etc::sourcelist=/etc/apt/sources.list.d/agent.sources");
    expect(argv).toContain("Dir::Etc::sourceparts=-");
    expect(argv).toContain("APT::Get::List-Cleanup=0");
    expect(argv.at(-1)).toBe("update");
  });

  test("a download installs nothing, and no hold and no version that is there keeps it from its work", () => {
    const argv = fetchArgv({ name: agent, version: "15.4.5" as PackageVersion });
    expect(argv).toContain("--download-only");
    expect(argv.filter((word) => flags.includes(word)).sort()).toEqual([...flags].sort());
    expect(argv.slice(-2)).toEqual(["install", "svc-ent=15.4.5"]);
  });

  test("more options are apt's, though another program says where apt is to work, and no other program's", () => {
    const more = ["-c", "/run/routes"];
    const [plain, apart] = [lockArgv(), downloadArgv({ name: agent, version: "15.4.5" as PackageVersion }, "/cache/partial")];
    expect(withOptions(plain, more)?.slice(0, 3)).toEqual(["apt-get", "-c", "/run/routes"]);
    expect(withOptions(apart, more)?.slice(0, 5)).toEqual(["env", "--chdir=/cache/partial", "apt-get", "-c", "/run/routes"]);
    for (const argv of [plain, apart]) {
      expect(withOptions(argv, more)?.filter((word) => !more.includes(word))).toEqual(argv);
    }
    expect(withOptions(["rm", "-f", "apt-get"], more)).toBeUndefined();
    expect(withOptions(["dpkg", "--audit"], more)).toBeUndefined();
  });

  test.each([
    { title: "up", direction: "up", refuses: true },
    { title: "to the same", direction: "same", refuses: true },
    { title: "down", direction: "down", refuses: false },
  ] as const)("$title from a file, dpkg is asked and called in the same words", ({ direction, refuses }) => {
    const wanted = { root: "/", change: { ...up, direction }, file: "/kept/x.deb" };
    const argv = installFileArgv(wanted);
    expect(argv).toEqual(["dpkg", ...keepEdited, ...(refuses ? ["--refuse-downgrade"] : []), "--install", "/kept/x.deb"]);
    expect(rehearseFileArgv(wanted).filter((word) => !["--log=/dev/null", "--no-act"].includes(word))).toEqual(argv);
  });

  test("the question for the lock's holder does not wait", () => {
    expect(lockArgv()).toContain("DPkg::Lock::Timeout=0");
  });

  test("the database is asked where it lies", () => {
    expect(inspectArgv(agent, "/scratch/var/lib/dpkg")).toContain("--admindir=/scratch/var/lib/dpkg");
  });
});
