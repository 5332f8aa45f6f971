import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { refresh } from "../../../../src/updater/package/yum/refresh.ts";
import type { YumArguments } from "../../../../src/updater/package/yum/calls.ts";
import type { Ended } from "../../../../src/updater/package/call/result.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";
import { scratchFolder } from "../../../machine/files/scratch.ts";
import { savedEnded } from "../saved.ts";

const cache = scratchFolder();
const repository = join(cache, "svc-0123456789abcdef");
mkdirSync(join(repository, "pubring"), { recursive: true });
for (const name of ["svc.solv", "svc-filenames.solvx", "packages.db"]) writeFileSync(join(cache, name), "");
const made = [repository, "svc-filenames.solvx", "svc.solv"].map((name) =>
  name === repository ? join(repository, "pubring") : join(cache, name),
);

const agent = "svc-ent" as PackageName;
const ok: Ended = { status: 0, stdout: "", output: "" };
const offered: Ended = { status: 0, stdout: "svc-ent|0|15.4.6|1|noarch|svc\n", output: "" };
const failing = (said: string): Ended => ({ status: 1, stdout: "", output: said });

async function refreshing(
  asks: readonly Ended[],
  downloads: readonly Ended[],
): Promise<{ readonly came: unknown; readonly did: readonly string[]; readonly called: readonly string[] }> {
  const did: string[] = [];
  const called: string[] = [];
  const [answers, fetched] = [[...asks], [...downloads]];
  const calls = {
    program: "dnf",
    ask: async () => answers.shift() ?? ok,
    download: async (args: YumArguments, what: string) => {
      called.push(`${what}: ${args.filter((arg) => arg.startsWith("--repo=")).join(" ")}`);
      did.push(args.some((arg) => arg.startsWith("--repo=")) ? "some" : "all");
      return fetched.shift() ?? ok;
    },
    removeCaches: async (paths: readonly string[]) => {
      did.push(...paths);
      return ok;
    },
  };
  const waiting = { forMs: 2, everyMs: 1, rpmLockHolder: () => undefined };
  const came: unknown = await refresh(calls, agent, { waiting, cache }).catch((thrown: unknown) => thrown);
  return { came, did, called };
}

describe("what dnf has made of its lists", () => {
  test("is left alone where a refresh goes well", async () => {
    expect(await refreshing([offered], [ok])).toEqual({ came: undefined, did: ["some"], called: ["refresh svc: --repo=svc"] });
    expect(await refreshing([ok, offered], [ok])).toEqual({
      came: undefined,
      did: ["all"],
      called: ["refresh all package lists: "],
    });
  });

  test("is made again where nothing is offered at all, or a list cannot be loaded", async () => {
    expect(await refreshing([ok, ok], [ok])).toMatchObject({ came: undefined, did: ["all", ...made, "all"] });
    const broken = failing("Error: Loading repository 'svc' has failed");
    expect(await refreshing([offered], [broken])).toMatchObject({ came: undefined, did: ["some", ...made, "all"] });
  });
});

describe("a refresh by dnf", () => {
  test("asks each repository that offers the package, once", async () => {
    const rows = ["svc", "mirror", "svc"].map((id) => `svc-ent|0|15.4.6|1|noarch|${id}\n`).join("");
    const { came, called } = await refreshing([{ ...ok, stdout: rows }], [ok]);
    expect([came, called]).toEqual([undefined, ["refresh svc mirror: --repo=svc --repo=mirror"]]);
  });

  test("says which lists, and in dnf's words why; where it has none for it, as it failed", async () => {
    expect((await refreshing([offered], [savedEnded("yum/refresh-404", 1)])).came).toMatchObject({
      code: "refresh-failed",
      message: expect.stringMatching(
        /^the package lists of svc could not be refreshed: Error: Failed to download metadata for repo 'svc': /,
      ) as string,
      hint: "try it by hand: `dnf makecache`",
    });
    expect((await refreshing([offered], [failing("Error: Curl error")])).came).toMatchObject({
      code: "refresh-failed",
      message: "the package lists of svc could not be refreshed: dnf makecache failed: Error: Curl error",
    });
  });

  test.each([
    { answer: "lock-exit", code: "manager-busy" },
    { answer: "refresh-no-space", code: "no-space" },
    { answer: "not-root", code: "not-permitted" },
  ])("that failed for a reason of the host is told as that: $answer", async ({ answer, code }) => {
    const failed = Array.from({ length: 4 }, () => savedEnded(`yum/${answer}`, 1));
    for (const asks of [[offered], [ok]]) {
      const { came, did } = await refreshing(asks, failed);
      expect([came, did.filter((one) => one.startsWith("/"))]).toEqual([expect.objectContaining({ code }), []]);
    }
  });

  test("of all passes over a dead repository where another offers the package, and says so where none does", async () => {
    const skipped = savedEnded("yum/dead-refresh-skipped", 0);
    expect(await refreshing([ok, offered, offered], [skipped])).toMatchObject({ came: undefined, did: ["all"] });
    expect((await refreshing([ok, ok], [skipped])).came).toMatchObject({
      code: "refresh-failed",
      message: expect.stringMatching(/^the package lists could not be refreshed: Error: Failed to download/) as string,
    });
  });
});
