import { describe, expect, test } from "vitest";
import type { FaultCode } from "../../../../src/rules/fault/table.ts";
import type { WantedFile } from "../../../../src/updater/package/manager/manager.ts";
import type { Ended } from "../../../../src/updater/package/call/result.ts";
import type { Into } from "../../../../src/updater/package/rpm/fetch.ts";
import type { InstalledRow } from "../../../../src/updater/package/rpm/installed.ts";
import type { YumArguments } from "../../../../src/updater/package/yum/calls.ts";
import { downloadByYum } from "../../../../src/updater/package/yum/working-half.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";
import type { PackageVersion } from "../../../../src/rules/version/wrapped.ts";
import { savedEnded } from "../saved.ts";

const there: InstalledRow = { epoch: "0", version: "15.4.5", release: "1", architecture: "x86_64", instance: 3 };
const wanted = (version: string): WantedFile => ({
  name: "svc-ent" as PackageName,
  version: version as PackageVersion,
  is: "offered",
});

async function download(
  version: string,
  into: Into,
  answers: readonly Ended[],
): Promise<{ readonly came: unknown; readonly calls: readonly string[] }> {
  const calls: string[] = [];
  const left = [...answers];
  const act = async (args: YumArguments): Promise<Ended> => {
    calls.push(args.filter((arg) => !/^--(?:setopt|debuglevel)/.test(arg)).join(" "));
    const [answer] = left.length > 1 ? left.splice(0, 1) : left;
    return answer ?? { status: 0, stdout: "", output: "" };
  };
  const effects = {
    calls: {
      download: act,
      repositories: async () => ({ all: [], ignored: ["dead"] }),
      program: "dnf",
    },
    rpm: { rows: async () => [{ ...there, version: "15.4.4" }, there] },
    waiting: { forMs: 2, everyMs: 1, rpmLockHolder: () => ({ pid: 4, program: "rpm" }) },
    cache: "/var/cache/dnf",
  };
  const came = await downloadByYum(effects)(wanted(version), into).catch((thrown: unknown) => thrown);
  return { came, calls };
}

describe("a download by dnf", () => {
  test("comes into the cache with what an installation needs, past every lock", async () => {
    const { came, calls } = await download("15.4.6-1", "cache", [savedEnded("yum/download-up", 0)]);
    expect(came).toEqual(["/var/cache/dnf"]);
    expect(calls).toEqual(["--disablerepo=dead --disableplugin=versionlock --downloadonly install svc-ent-0:15.4.6-1"]);
  });

  test("of what is installed comes into a directory of its own, past what is excluded too", async () => {
    const { came, calls } = await download("15.4.5-1", { directory: "/kept/x", manner: "quietly" }, [
      savedEnded("yum/download-installed", 0),
    ]);
    expect(came).toEqual(["/kept/x"]);
    expect(calls).toEqual([
      "--disablerepo=dead --disableplugin=versionlock --disableexcludes=all --downloadonly --downloaddir=/kept/x reinstall svc-ent-0:15.4.5-1",
    ]);
  });

  test.each<{ answer: string; code: FaultCode }>([
    { answer: "download-no-space", code: "no-space" },
    { answer: "install-failing-pre", code: "download-failed" },
  ])("fails in $answer with $code", async ({ answer, code }) => {
    expect((await download("15.4.6-1", "cache", [savedEnded(`yum/${answer}`, 1)])).came).toMatchObject({ code });
  });

  test("waits for another dnf", async () => {
    const busy = savedEnded("yum/lock-exit", 200);
    const waited = await download("15.4.6-1", "cache", [busy, savedEnded("yum/download-up", 0)]);
    expect([waited.came, waited.calls.length]).toEqual([["/var/cache/dnf"], 2]);
    expect((await download("15.4.6-1", "cache", [busy])).came).toMatchObject({
      code: "manager-busy",
      message: expect.stringMatching(/held by process \d+ \(yum\)$/) as string,
    });
  });
});
