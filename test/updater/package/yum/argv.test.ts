import { describe, expect, test } from "vitest";
import {
  actArgs,
  askArgs,
  belowRoot,
  downloadArgs,
  exactly,
  installArgs,
  refreshAllArgs,
  refreshArgs,
  simulateArgs,
  simulateErasingArgs,
  withoutProxy,
  type Installing,
  type WantedPackages,
} from "../../../../src/updater/package/yum/argv.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";
import type { PackageVersion } from "../../../../src/rules/version/wrapped.ts";

const wanted: WantedPackages = { name: "svc-ent" as PackageName, to: "15.4.6-1" as PackageVersion, hold: "none" };
const lifted: WantedPackages = { ...wanted, hold: "lifted" };
const installing: Installing = { verb: "install", along: [], ignored: [] };

describe("the calls of dnf", () => {
  test("name a version with its epoch, also where it has none", () => {
    expect(exactly(wanted)).toBe("svc-ent-0:15.4.6-1");
    expect(exactly({ ...wanted, to: "5:15.4.6-1" })).toBe("svc-ent-5:15.4.6-1");
  });

  test("a lifted hold does not count, in the simulation as in the installation; any other does", () => {
    const flag = "--disableplugin=versionlock";
    expect([simulateArgs(lifted), installArgs(lifted, installing)].every((args) => args.includes(flag))).toBe(true);
    expect([simulateArgs(wanted), installArgs(wanted, installing)].some((args) => args.includes(flag))).toBe(false);
  });

  test("a simulation answers no; only the one that must name removals may plan them", () => {
    expect(simulateArgs(wanted)).toContain("--assumeno");
    expect(simulateArgs(wanted)).not.toContain("--allowerasing");
    expect(simulateErasingArgs(wanted)).toEqual(["--allowerasing", ...simulateArgs(wanted)]);
  });

  test("a refresh asks the named repositories alone and fails with them; one of all passes over the dead", () => {
    const some = refreshArgs(["svc", "mirror"]);
    expect(some.filter((arg) => arg.startsWith("--repo="))).toEqual(["--repo=svc", "--repo=mirror"]);
    expect(some).toContain("--setopt=*.skip_if_unavailable=False");
    expect(some.at(-1)).toBe("makecache");
    expect(refreshAllArgs()).toContain("--setopt=*.skip_if_unavailable=True");
    // Quietly, dnf would say nothing of those.
    expect(refreshAllArgs()).not.toContain("-q");
  });

  test("below another root, none of this machine's plugins and places count", () => {
    expect(belowRoot("/")).toEqual([]);
    expect(belowRoot("/mnt")).toEqual(["--installroot=/mnt", "--noplugins"]);
    const places = (root: string): readonly string[] =>
      actArgs({ keyFile: "/k", root }, []).filter((arg) => arg.includes("cachedir"));
    expect(places("/")).toEqual(["--setopt=cachedir=/var/cache/dnf"]);
    expect(places("/mnt")).toEqual([]);
  });

  test("a proxy of the configuration is switched off by name, and none is ever written", () => {
    expect(withoutProxy(["svc"])).toEqual([
      "--setopt=svc.proxy=",
      "--setopt=svc.proxy_username=",
      "--setopt=svc.proxy_password=",
    ]);
  });

  test("a question, a simulation, a download and an installation plan alike: nothing is fetched unasked, recommended or swept away", () => {
    const set = (args: readonly string[]): readonly string[] =>
      args.filter((arg) => /^--setopt=(?:\*\.(?:meta|skip)|install|clean)/.test(arg));
    const alike = [
      "--setopt=install_weak_deps=False",
      "--setopt=clean_requirements_on_remove=False",
      "--setopt=*.metadata_expire=-1",
      "--setopt=*.skip_if_unavailable=True",
    ];
    for (const args of [
      askArgs(undefined, simulateArgs(wanted)),
      installArgs(wanted, installing),
      downloadArgs("install", wanted, { ignored: [], directory: undefined }),
    ])
      expect(set(args)).toEqual(alike);
    expect(askArgs(undefined, [])).toContain("--setopt=*.repo_gpgcheck=False");
  });
});
