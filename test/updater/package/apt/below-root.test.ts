import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { auditArgv, installArgv, policyArgv } from "../../../../src/updater/package/apt/argv.ts";
import { asQuestion, keepBelow, type AptCall } from "../../../../src/updater/package/apt/below-root.ts";
import { aptEnvironment } from "../../../../src/updater/package/apt/environment.ts";
import { agent, change } from "./given.ts";

const hostile = '/srv/a"; DPkg::Pre-Invoke { "touch /tmp/pwned"; }; #';

describe("apt below another root", () => {
  test("is turned to that root by arguments, its hooks and its dpkg included", async () => {
    const { argv } = await keepBelow("/scratch", installArgv(change("15.4.6")), async (call) => call);
    expect(argv.filter((word) => word !== "-o").slice(0, 8)).toEqual([
      "apt-get",
      "Dir=/scratch/",
      "Dir::State::status=/scratch/var/lib/dpkg/status",
      "Dir::Log::Terminal=/dev/null",
      "DPkg::Options::=--root=/scratch",
      "DPkg::Options::=--log=/scratch/var/log/dpkg.log",
      "DPkg::Options::=--path-include=/*",
      "APT::Sandbox::User=root",
    ]);
    expect(argv.slice(-2)).toEqual(["install", "svc-ent=15.4.6"]);
  });

  test("reads one file, which leaves out the configuration of both and has nothing of a name in it", async () => {
    let file = "";
    await keepBelow(hostile, policyArgv(agent), async ({ env }: AptCall) => {
      file = env["APT_CONFIG"] ?? "";
      expect(readFileSync(file, "utf8")).toBe('Dir::Etc::main "/dev/null";\nDir::Etc::parts "/dev/null";\n');
      expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
    });
    expect(file.startsWith("/tmp/svc-upgrade-call-")).toBe(true);
    expect(existsSync(dirname(file))).toBe(false);
  });

  test("is the only program that is told so, and on the machine itself is told nothing", async () => {
    for (const [root, argv] of [
      ["/scratch", ["rm", "-f", "apt-get"]],
      ["/", policyArgv(agent)],
    ] as const) {
      expect(await keepBelow(root, argv, async (call) => call)).toEqual({ argv, env: {} });
    }
  });
});

describe("a question", () => {
  test("below another root writes no cache; on the machine itself, and of dpkg, it is as it is", () => {
    expect(asQuestion("/scratch", policyArgv(agent)).filter((word) => word !== "-o")).toEqual([
      "apt-cache",
      "Dir::Cache::pkgcache=",
      "Dir::Cache::srcpkgcache=",
      "policy",
      agent,
    ]);
    expect(asQuestion("/", policyArgv(agent))).toEqual(policyArgv(agent));
    expect(asQuestion("/scratch", auditArgv("/x"))).toEqual(auditArgv("/x"));
  });
});

describe("the environment of apt", () => {
  test("holds what is fixed, and hides a no_proxy that apt would read in its own way", () => {
    const env = aptEnvironment("");
    expect(env).toMatchObject({ no_proxy: "", LC_ALL: "C.UTF-8", LANGUAGE: "" });
    expect(env["PATH"]?.split(":")).toEqual(expect.arrayContaining(["/usr/sbin", "/usr/bin", "/sbin", "/bin"]));
    expect(Object.keys(env)).not.toContain("APT_CONFIG");
    // Nobody is there to answer, or to be told.
    expect(env).toMatchObject({
      DEBIAN_FRONTEND: "noninteractive",
      DEBIAN_PRIORITY: "critical",
      DEBCONF_NOWARNINGS: "yes",
      APT_LISTCHANGES_FRONTEND: "none",
      NEEDRESTART_SUSPEND: "1",
      UCF_FORCE_CONFFOLD: "1",
    });
    expect(aptEnvironment(".corp.example")).toMatchObject({ no_proxy: ".corp.example" });
  });
});
