import { describe, expect, test } from "vitest";
import {
  bringArgs,
  detailsArgs,
  downloadArgs,
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
  test("ask nobody, and look the same on every host", () => {
    expect(zypperArgv({ root: "/" }, ["locks"])).toEqual(["zypper", "--non-interactive", "--terse", "--no-cd", "locks"]);
  });

  const searching = "--quiet --no-refresh search --details --match-exact --type package --repo svc";
  const installing = "--no-refresh install --name --auto-agree-with-licenses --no-recommends";
  const down: ZypperInstallation = {
    ...up,
    mode: "down",
    aliases: ["svc"],
    along: [{ name: "svc-ent-data" as PackageName, version: "1.0-1" as PackageVersion }],
  };
  const planned = [
    { name: "svc-ent", version: "5:15.4.6-1", architecture: undefined },
    { name: "libbar", version: "1.0-1", architecture: "x86_64" },
  ];
  const wanted = { name: agent, version: "15.4.6-1" as PackageVersion };

  test.each<{ what: string; args: readonly string[]; line: string }>([
    { what: "what is offered", args: versionsArgs(agent, ["svc"]), line: `${searching} svc-ent` },
    { what: "who requires something", args: requirersArgs("libbar", ["svc"]), line: `${searching} --requires-pkg libbar` },
    { what: "a refresh", args: refreshArgs([]), line: "--quiet refresh" },
    {
      what: "a download into the cache",
      args: downloadArgs(wanted, { aliases: ["svc"], directory: undefined, manner: "quietly" }),
      line: "--quiet --no-refresh download --repo svc svc-ent=15.4.6-1",
    },
    {
      what: "one that says what it does, elsewhere",
      args: downloadArgs(wanted, { aliases: [], directory: "/kept", manner: "aloud" }),
      line: "--pkg-cache-dir /kept --no-refresh download svc-ent=15.4.6-1",
    },
    {
      what: "a download that is told file by file",
      args: bringArgs(planned, ["svc"]),
      line: "--xmlout --no-refresh download --repo svc svc-ent=5:15.4.6-1 libbar=1.0-1",
    },
    {
      what: "an installation",
      args: installArgs(down),
      line: `--quiet ${installing} --oldpackage --allow-downgrade --repo svc svc-ent=5:15.4.6-1 svc-ent-data=1.0-1`,
    },
    {
      what: "a simulation",
      args: simulateArgs(down),
      line: `${installing} --oldpackage --allow-downgrade --dry-run --repo svc svc-ent=5:15.4.6-1 svc-ent-data=1.0-1`,
    },
    {
      what: "a simulation that tells versions",
      args: detailsArgs(down),
      line: `${installing} --oldpackage --allow-downgrade --dry-run --details --repo svc svc-ent=5:15.4.6-1 svc-ent-data=1.0-1`,
    },
  ])("the words of $what", ({ args, line }) => {
    expect(args.join(" ")).toBe(line);
  });

  test("no call trusts a key or changes a vendor unasked", () => {
    const calls = [installArgs(up), simulateArgs(up), refreshArgs(["svc"]), versionsArgs(agent, []), requirersArgs("other", [])];
    const words = calls.flat();
    expect(words).not.toContain("--gpg-auto-import-keys");
    expect(words).not.toContain("--no-gpg-checks");
    expect(words).not.toContain("--allow-vendor-change");
  });
});
