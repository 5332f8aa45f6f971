import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { installArgv, policyArgv } from "../../../src/package/apt/argv.ts";
import { keepBelow, type AptCall } from "../../../src/package/apt/below-root.ts";
import { aptEnvironment } from "../../../src/package/apt/environment.ts";
import { agent, change } from "./given.ts";

const hostile = '/srv/a"; DPkg::Pre-Invoke { "touch /tmp/pwned"; }; #';

describe("apt below another root", () => {
  test("is turned to that root by arguments, its hooks and its dpkg included", async () => {
    const { argv } = await keepBelow("/scratch", installArgv(change("15.4.6")), async (call) => call);
    expect(argv.slice(0, 3)).toEqual(["apt-get", "-o", "Dir=/scratch/"]);
    expect(argv).toContain("DPkg::Options::=--root=/scratch");
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

describe("the environment of apt", () => {
  test("holds what is fixed, and hides a no_proxy that apt would read in its own way", () => {
    const env = aptEnvironment("");
    expect(env).toMatchObject({ no_proxy: "", LC_ALL: "C.UTF-8", LANGUAGE: "", DEBIAN_FRONTEND: "noninteractive" });
    expect(Object.keys(env)).not.toContain("APT_CONFIG");
    expect(aptEnvironment(".corp.example")).toMatchObject({ no_proxy: ".corp.example" });
  });
});
