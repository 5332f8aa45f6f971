import { describe, expect, test } from "vitest";
import {
  downloadArgv,
  explainedArgv,
  fetchArgv,
  fetchedUrlsArgv,
  indexesArgv,
  installArgv,
  keepEdited,
  lockArgv,
  refreshAllArgv,
  refreshArgv,
  simulateArgv,
  unfetchedArgv,
  withOptions,
} from "../../../../src/updater/package/apt/argv.ts";
import {
  holdArgv,
  installFilesArgv,
  rehearseFilesArgv,
  simulateFilesArgv,
  simulateOnArgv,
} from "../../../../src/updater/package/apt/offline-argv.ts";
import type { Change, FileOnHost, WantedFile } from "../../../../src/updater/package/manager/manager.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";
import type { PackageVersion } from "../../../../src/rules/version/wrapped.ts";

const agent = "svc-ent" as PackageName;
const up: Change = { name: agent, to: "15.4.6-1" as PackageVersion, direction: "up", hold: "none", beside: [] };

const file: FileOnHost = { name: agent, version: up.to, path: "/kept/x.deb" };
const libs: FileOnHost = { name: "svc-ent-libs" as PackageName, version: up.to, path: "/kept/libs.deb" };

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
    { title: "a downgrade may go down", change: { ...up, direction: "down" }, has: ["--allow-downgrades"] },
    { title: "a repair installs again", change: { ...up, direction: "same" }, has: ["--reinstall"] },
    { title: "a lifted hold may change", change: { ...up, hold: "lifted" }, has: ["--allow-change-held-packages"] },
  ])("$title, in the simulation as in the installation", ({ change, has }) => {
    for (const argv of [installArgv(change), simulateArgv(change)])
      expect(argv.filter((word) => flags.includes(word))).toEqual(has);
  });

  test("a simulation may plan removals, so that it can name them", () => {
    expect(simulateArgv(up)).toContain("-s");
    // What was really done last stays in apt's own log.
    expect(simulateArgv(up)).toEqual(expect.arrayContaining(["Dir::Log::Planner=", "Dir::Log::Solver="]));
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
const one = { root: "/", change: up, files: [file] as const };

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

  test.each([
    ["a simulation", simulateArgv(up)],
    ["an explanation", explainedArgv(up, [])],
    ["an installation", installArgv(up)],
    ["a fetch", fetchArgv(exact)],
    ["a simulation of files", simulateFilesArgv(one)],
    ["a simulation on another database", simulateOnArgv("/tmp/status", [file])],
  ])("%s plans nothing that is merely recommended or suggested, and removes nothing that nobody needs", (_title, argv) => {
    expect(optionsOf(argv)).toMatchObject({
      "APT::Install-Recommends": "false",
      "APT::Install-Suggests": "false",
      "APT::Get::AutomaticRemove": "false",
    });
  });

  test.each([
    ["a plan", simulateArgv(up)],
    ["a plan from files", simulateFilesArgv(one)],
    ["a plan on another database", simulateOnArgv("/tmp/status", [file])],
  ])("%s says nothing of who simulates", (_title, argv) => {
    expect(optionsOf(argv)).toMatchObject({ "APT::Get::Show-User-Simulation-Note": "false" });
  });

  test.each([
    ["a hold", holdArgv(agent)],
    ["a simulation of files", simulateFilesArgv(one)],
    ["a simulation on another database", simulateOnArgv("/tmp/status", [file])],
  ])("%s reads no source and no list, and writes no cache", (_title, argv) => {
    expect(optionsOf(argv)).toMatchObject({
      "Dir::Etc::sourcelist": "/dev/null",
      "Dir::Etc::sourceparts": "/dev/null",
      "Dir::State::lists": "/nonexistent",
      "Dir::Cache::pkgcache": "",
      "Dir::Cache::srcpkgcache": "",
    });
  });

  test("an installation fetches nothing by any of apt's methods, and keeps its own lines out of a terminal's", () => {
    const methods = ["http", "https", "mirror+http", "mirror+https", "tor+http", "tor+https", "ftp"];
    const off = Object.fromEntries(methods.map((method) => [`Dir::Bin::Methods::${method}`, "false"]));
    expect(optionsOf(installArgv(up))).toMatchObject({ ...off, "Dpkg::Use-Pty": "0" });
  });

  test("what only asks for URLs fetches nothing, and what asks for lists asks for those of packages", () => {
    for (const argv of [fetchedUrlsArgv(), unfetchedArgv(exact)]) expect(argv).toContain("--print-uris");
    expect(indexesArgv()).toContain("Created-By: Packages");
  });

  test("a refresh of one source fails with any fault of it, whatever apt's default; a question on another database reads that one", () => {
    expect(optionsOf(refreshArgv("/etc/apt/sources.list"))).toMatchObject({ "APT::Update::Error-Mode": "any" });
    expect(optionsOf(simulateOnArgv("/tmp/status", [file]))).toMatchObject({ "Dir::State::status": "/tmp/status" });
    expect(optionsOf(explainedArgv(up, []))).toMatchObject({ "APT::Solver": "internal" });
  });
});
