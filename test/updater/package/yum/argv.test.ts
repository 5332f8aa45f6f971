import { describe, expect, test } from "vitest";
import {
  actArgs,
  addLockArgs,
  askArgs,
  belowRoot,
  closureArgs,
  deleteLockArgs,
  downloadArgs,
  exactly,
  fileSizeArgs,
  installArgs,
  locationsArgs,
  offersArgs,
  refreshAllArgs,
  refreshArgs,
  repositoriesArgs,
  simulateArgs,
  simulateErasingArgs,
  sizesArgs,
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

  test("an installation asks nothing, waits for nobody, trusts no new key, and names the exact version last", () => {
    const args = actArgs(
      { keyFile: "/run/keys.asc", root: "/" },
      installArgs(wanted, { ...installing, ignored: ["dead", "dead-too"] }),
    );
    expect(args[0]).toBe("-y");
    expect(args).toContain("--setopt=exit_on_lock=True");
    expect(args).toContain("--setopt=*.gpgkey=file:///run/keys.asc");
    expect(args).toContain("--setopt=install_weak_deps=False");
    expect(args.filter((arg) => arg.startsWith("--disablerepo"))).toEqual(["--disablerepo=dead", "--disablerepo=dead-too"]);
    expect(args).not.toContain("--allowerasing");
    expect(args.slice(-2)).toEqual(["install", "svc-ent-0:15.4.6-1"]);
    // The last one counts: an installation is quiet, and a question is answered in full.
    expect(args.findLast((arg) => arg.startsWith("--debuglevel"))).toBe("--debuglevel=0");
    expect(askArgs(undefined, simulateArgs(wanted)).findLast((arg) => arg.startsWith("--debuglevel"))).toBe("--debuglevel=2");
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
});

/** All that is not the same in every call. */
const own = (args: readonly string[]): string =>
  args.filter((arg) => !/^--(?:setopt|color|debuglevel=2|errorlevel)/.test(arg)).join(" ");

describe("the words of each call", () => {
  const along = [{ name: "svc-ent-data" as PackageName, version: "15.4.6-2" as PackageVersion }];
  const planned = [
    { name: "svc-ent", version: "15.4.6-1", architecture: undefined },
    { name: "libbar", version: "1:1.0-1", architecture: "x86_64" },
  ];

  test.each<{ what: string; args: readonly string[]; line: string }>([
    {
      what: "what is offered, whatever holds it",
      args: offersArgs(wanted.name),
      line: "-q --disableplugin=versionlock repoquery --available --showduplicates --qf %{name}|%{epoch}|%{version}|%{release}|%{arch}|%{repoid} svc-ent",
    },
    {
      what: "where files are",
      args: locationsArgs(planned),
      line: "-q --disableplugin=versionlock repoquery --available --location svc-ent-0:15.4.6-1 libbar-1:1.0-1.x86_64",
    },
    { what: "which repositories there are", args: repositoriesArgs(), line: "repoinfo --all" },
    { what: "a refresh of some", args: refreshArgs(["svc", "mirror"]), line: "-q --repo=svc --repo=mirror --refresh makecache" },
    { what: "a refresh of all", args: refreshAllArgs(), line: "--refresh makecache" },
    {
      what: "a simulation",
      args: simulateArgs(wanted, along),
      line: "--assumeno install svc-ent-0:15.4.6-1 svc-ent-data-0:15.4.6-2",
    },
    {
      what: "one that may remove",
      args: simulateErasingArgs(lifted, along),
      line: "--allowerasing --assumeno --disableplugin=versionlock install svc-ent-0:15.4.6-1 svc-ent-data-0:15.4.6-2",
    },
    {
      what: "what packages need",
      args: closureArgs(["svc-ent-0:15.4.6-1"]),
      line: "-q repoquery --requires --resolve --recursive --qf %{name} svc-ent-0:15.4.6-1",
    },
    {
      what: "what packages take",
      args: sizesArgs(["svc-ent-0:15.4.6-1", "libbar"]),
      line: "-q repoquery --available --latest-limit=1 --qf %{name}|%{downloadsize}|%{installsize} svc-ent-0:15.4.6-1 libbar",
    },
    {
      what: "how large a file is",
      args: fileSizeArgs(wanted),
      line: "-q --disableplugin=versionlock repoquery --available --showduplicates --qf %{downloadsize} svc-ent-0:15.4.6-1",
    },
    {
      what: "an installation, out of the cache alone",
      args: installArgs(lifted, { verb: "install", along, ignored: ["dead"] }),
      line: "-C --debuglevel=0 --disablerepo=dead --disableplugin=versionlock install svc-ent-0:15.4.6-1 svc-ent-data-0:15.4.6-2",
    },
    {
      what: "a download",
      args: downloadArgs("install", wanted, { ignored: ["dead"], directory: undefined }),
      line: "--debuglevel=0 --disablerepo=dead --disableplugin=versionlock --downloadonly install svc-ent-0:15.4.6-1",
    },
    {
      what: "a download of what is there",
      args: downloadArgs("reinstall", wanted, { ignored: [], directory: "/kept" }),
      line: "--debuglevel=0 --disableplugin=versionlock --disableexcludes=all --downloadonly --downloaddir=/kept reinstall svc-ent-0:15.4.6-1",
    },
    { what: "a lock", args: addLockArgs("svc-ent-0:1-1.*"), line: "-q -C --disablerepo=* versionlock add --raw svc-ent-0:1-1.*" },
    {
      what: "no lock",
      args: deleteLockArgs("svc-ent-0:1-1.*"),
      line: "-q -C --disablerepo=* versionlock delete svc-ent-0:1-1.*",
    },
  ])("$what", ({ args, line }) => {
    expect(own(args)).toBe(line);
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

  test("what dnf prints looks the same on every host, and a dead server is left after half a minute and two more tries", () => {
    const printed = ["--color=never", "--debuglevel=2", "--errorlevel=3"];
    expect(askArgs(undefined, []).slice(0, 4)).toEqual(["-C", ...printed]);
    const acting = actArgs({ keyFile: "/k", root: "/mnt" }, []);
    expect(acting.slice(0, 4)).toEqual(["-y", ...printed]);
    expect(acting).toEqual(expect.arrayContaining(["--setopt=*.timeout=30", "--setopt=*.retries=2"]));
  });
});
