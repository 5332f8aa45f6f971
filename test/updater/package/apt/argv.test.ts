import { describe, expect, test } from "vitest";
import {
  downloadArgv,
  fetchArgv,
  installArgv,
  keepEdited,
  lockArgv,
  refreshAllArgv,
  refreshArgv,
  withOptions,
} from "../../../../src/updater/package/apt/argv.ts";
import { installFilesArgv, rehearseFilesArgv } from "../../../../src/updater/package/apt/offline-argv.ts";
import type { Change, FileOnHost, WantedFile } from "../../../../src/updater/package/manager/manager.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";
import type { PackageVersion } from "../../../../src/rules/version/wrapped.ts";

const agent = "svc-ent" as PackageName;
const up: Change = { name: agent, to: "15.4.6-1" as PackageVersion, direction: "up", hold: "none", beside: [] };

const file: FileOnHost = { name: agent, version: up.to, path: "/kept/x.deb" };
const libs: FileOnHost = { name: "svc-ent-libs" as PackageName, version: up.to, path: "/kept/libs.deb" };

describe("the calls of apt", () => {
  test("more options are apt's, though another program says where apt is to work, and no other program's", () => {
    const more = ["-c", "/run/routes"];
    const [plain, apart] = [lockArgv(), downloadArgv({ name: agent, version: "15.4.5" as PackageVersion }, "/cache/partial")];
    expect(withOptions(plain, more)?.slice(0, 3)).toEqual(["apt-get", "-c", "/run/routes"]);
    expect(withOptions(apart, more)?.slice(0, 5)).toEqual(["env", "--chdir=/cache/partial", "apt-get", "-c", "/run/routes"]);
    for (const argv of [plain, apart]) {
      expect(withOptions(argv, more)?.filter((word) => !more.includes(word))).toEqual(argv);
    }
    for (const program of ["apt-get", "apt-cache", "apt-config", "apt-mark"]) {
      expect(withOptions([program, "x"], more)).toEqual([program, ...more, "x"]);
    }
    expect(withOptions(["prlimit", "--", "apt-get", "x"], more)).toEqual(["prlimit", "--", "apt-get", ...more, "x"]);
    expect(withOptions(["rm", "-f", "apt-get"], more)).toBeUndefined();
    expect(withOptions(["dpkg", "--audit"], more)).toBeUndefined();
  });

  test.each([
    { title: "to the same", direction: "same", refuses: true },
    { title: "down", direction: "down", refuses: false },
  ] as const)("$title from a file, dpkg is asked and called in the same words", ({ direction, refuses }) => {
    const wanted = { root: "/", change: { ...up, direction }, files: [file] as const };
    const argv = installFilesArgv(wanted);
    expect(argv).toEqual(["dpkg", ...keepEdited, ...(refuses ? ["--refuse-downgrade"] : []), "--install", "/kept/x.deb"]);
    expect(rehearseFilesArgv(wanted).filter((word) => !["--log=/dev/null", "--no-act"].includes(word))).toEqual(argv);
  });

  test.each(
    (["up", "same", "down"] as const).flatMap((direction) => [
      { direction, files: [file, libs] as const },
      { direction, files: [libs, file] as const },
    ]),
  )("$direction from several files, they go in as they are told, and one that excludes another may be set aside", (given) => {
    const wanted = { root: "/", change: { ...up, direction: given.direction }, files: given.files };
    const argv = installFilesArgv(wanted);
    expect(argv.slice(-3)).toEqual(["--install", ...given.files.map(({ path }) => path)]);
    expect(argv).toContain("--auto-deconfigure");
    // The agent's package may be where it was, and another one further than it is to be.
    expect(argv).not.toContain("--refuse-downgrade");
    const rehearsed = ["--force-depends", "--log=/dev/null", "--no-act"];
    expect(rehearseFilesArgv(wanted).filter((word) => !rehearsed.includes(word))).toEqual(argv);
    expect(argv).not.toContain("--force-depends");
  });

  test("a download takes with it what it is planned with, and itself once", () => {
    const beside = ["svc-ent", "svc-ent-libs"].map((name) => ({ name, version: "15.4.6-1", architecture: undefined }));
    const argv = fetchArgv({ name: libs.name, version: up.to, beside });
    expect(argv.slice(-3)).toEqual(["install", "svc-ent-libs=15.4.6-1", "svc-ent=15.4.6-1"]);
  });
});

function optionsOf(argv: readonly string[]): Readonly<Record<string, string>> {
  const pairs = argv.filter((_, at) => argv[at - 1] === "-o").map((pair) => pair.split(/=(.*)/s));
  return Object.fromEntries(pairs.map(([key = "", value = ""]) => [key, value]));
}

const exact: Omit<WantedFile, "is"> = { name: agent, version: up.to };

describe("what apt and dpkg are called with", () => {
  test.each([
    ["a refresh", refreshArgv("/etc/apt/sources.list")],
    ["a refresh of all", refreshAllArgv()],
    ["an installation", installArgv(up)],
    ["a fetch", fetchArgv(exact)],
    ["a download", downloadArgv(exact, "/partial")],
  ])("%s tries three times, and waits half a minute for a silent server", (_title, argv) => {
    expect(optionsOf(argv)).toMatchObject({
      "Acquire::Retries": "2",
      "Acquire::http::Timeout": "30",
      "Acquire::https::Timeout": "30",
    });
  });

  test("whoever takes dpkg's lock waits a minute for it; whoever only asks who has it does not wait", () => {
    for (const argv of [installArgv(up), fetchArgv(exact)])
      expect(optionsOf(argv)).toMatchObject({ "DPkg::Lock::Timeout": "60" });
    expect(optionsOf(lockArgv())).toEqual({ "DPkg::Lock::Timeout": "0" });
  });
});
