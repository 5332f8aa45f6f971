import { describe, expect, test } from "vitest";
import {
  installArgs,
  refreshArgs,
  requirersArgs,
  simulateArgs,
  versionsArgs,
  zypperArgv,
  type ZypperInstallation,
} from "../../../../src/updater/package/zypper/argv.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";
import type { PackageVersion } from "../../../../src/rules/version/wrapped.ts";

const agent = "svc-ent" as PackageName;
const up: ZypperInstallation = {
  name: agent,
  to: "5:15.4.6-1" as PackageVersion,
  mode: "up",
  aliases: ["svc", "a b"],
  along: [],
};

describe("the calls of zypper", () => {
  test("every call asks nobody and looks the same on every host", () => {
    expect(zypperArgv({ root: "/" }, ["locks"])).toEqual(["zypper", "--non-interactive", "--terse", "--no-cd", "locks"]);
  });

  test("another root, and other descriptions of the repositories, come before the command", () => {
    const argv = zypperArgv({ root: "/image", repositories: "/run/there" }, ["refresh"]);
    expect(argv.slice(4)).toEqual(["--root", "/image", "--reposd-dir", "/run/there", "refresh"]);
  });

  test("an installation names the exact version last, and only the repositories that may be used", () => {
    const args = installArgs(up);
    expect(args.slice(-5)).toEqual(["--repo", "svc", "--repo", "a b", "svc-ent=5:15.4.6-1"]);
    expect(args.slice(0, 4)).toEqual(["--quiet", "--no-refresh", "install", "--name"]);
    expect(args).toContain("--no-recommends");
  });

  test("a simulation differs from the installation in one word, and says all that it has to say", () => {
    expect(["--quiet", ...simulateArgs(up).filter((word) => word !== "--dry-run")]).toEqual(installArgs(up));
    expect(installArgs(up)).not.toContain("--dry-run");
  });

  test("no call trusts a key or changes a vendor unasked", () => {
    const calls = [installArgs(up), simulateArgs(up), refreshArgs(["svc"]), versionsArgs(agent, []), requirersArgs("other", [])];
    const words = calls.flat();
    expect(words).not.toContain("--gpg-auto-import-keys");
    expect(words).not.toContain("--no-gpg-checks");
    expect(words).not.toContain("--allow-vendor-change");
  });

  test("a question is answered by what was fetched already, a refresh fetches what is named", () => {
    expect(versionsArgs(agent, ["svc"])).toContain("--no-refresh");
    expect(versionsArgs(agent, ["svc"]).slice(-3)).toEqual(["--repo", "svc", "svc-ent"]);
    expect(requirersArgs("other", []).slice(-2)).toEqual(["--requires-pkg", "other"]);
    expect(refreshArgs(["svc", "mirror"])).toEqual(["--quiet", "refresh", "svc", "mirror"]);
  });
});
