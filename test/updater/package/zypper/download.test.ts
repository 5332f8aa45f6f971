import { describe, expect, test } from "vitest";
import type { FaultCode } from "../../../../src/rules/fault/table.ts";
import type { WantedFile } from "../../../../src/updater/package/manager/manager.ts";
import type { Into } from "../../../../src/updater/package/rpm/fetch.ts";
import { downloadByZypper } from "../../../../src/updater/package/zypper/download.ts";
import type { PackageVersion } from "../../../../src/rules/version/wrapped.ts";
import { savedEnded } from "../saved.ts";
import { agent, stage, type Staged } from "./calls.ts";

const wanted: WantedFile = { name: agent, version: "15.4.6-1" as PackageVersion, is: "offered" };
const cache = "/var/cache/zypp/packages";

async function download(answer: string, into: Into = "cache", status: number = 0): Promise<Staged & { readonly came: unknown }> {
  const staged = stage({
    installed: [],
    ask: () => savedEnded("zypper/offered", 0),
    act: () => savedEnded(`zypper/${answer}`, status),
  });
  const came = await downloadByZypper(staged.calls, cache)(wanted, into).catch((thrown: unknown) => thrown);
  return { ...staged, came };
}

describe("a download by zypper", () => {
  test("comes into the cache, or below a directory of its own, from the repositories that have lists", async () => {
    const { came, acted } = await download("fetch");
    expect(came).toEqual([cache]);
    const args = ["--quiet", "--no-refresh", "download", "--repo", "svc", "svc-ent=15.4.6-1"];
    expect(acted).toEqual([{ args, told: { what: "download svc-ent=15.4.6-1", unheld: undefined } }]);
    const alone = await download("fetch-installed", { directory: "/kept/x", manner: "aloud" });
    expect(alone.came).toEqual(["/kept/x"]);
    expect(alone.acted[0]?.args).toEqual(["--pkg-cache-dir", "/kept/x", ...args.slice(1)]);
  });

  test.each(["fetch-cached", "fetch-locked"])("is done in %s", async (answer) => {
    expect((await download(answer)).came).toEqual([cache]);
  });

  test("is done without a repository that had to be left out", async () => {
    expect((await download("fetch", "cache", 106)).came).toEqual([cache]);
  });

  test.each<{ answer: string; code: FaultCode; says: string }>([
    { answer: "fetch-missing", code: "not-offered", says: "Argument resolves to no package: svc-ent=99.0.0-1" },
    { answer: "fetch-installed-not-offered", code: "not-offered", says: "svc-ent=15.4.5-1" },
    { answer: "fetch-unsigned", code: "package-untrusted", says: "Package is not signed!" },
    { answer: "fetch-unknown-key", code: "package-untrusted", says: ": NOKEY" },
    { answer: "fetch-altered", code: "download-failed", says: "Downloaded data exceeded the expected filesize" },
    { answer: "fetch-withdrawn", code: "download-failed", says: "not found on medium" },
    { answer: "fetch-dead", code: "download-failed", says: "Couldn't connect to server" },
    { answer: "fetch-dead-quiet", code: "download-failed", says: "Couldn't connect to server" },
    { answer: "fetch-no-space-quiet", code: "no-space", says: "to /root/kept/svc" },
    { answer: "fetch-no-space", code: "no-space", says: "to /root/kept/svc" },
    { answer: "fetch-no-inodes", code: "no-space", says: "Can't create /root/kept/svc/packages" },
  ])("is seen to have failed behind its success, in $answer", async ({ answer, code, says }) => {
    const { came } = await download(answer);
    expect(came).toMatchObject({ code, message: expect.stringContaining(says) as string });
    expect((came as Error).message).not.toContain("status");
  });

  test("says who keeps zypper busy", async () => {
    const { came } = await download("fetch-busy", "cache", 7);
    expect(came).toMatchObject({ code: "manager-busy", message: expect.stringMatching(/held by process \d+/) as string });
  });

  test("is a failed download where zypper fails without a word that is known", async () => {
    expect((await download("fetch", "cache", 8)).came).toMatchObject({ code: "download-failed" });
  });
});
