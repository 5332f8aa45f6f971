import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { madeOfLists } from "../../../src/package/yum/lists.ts";
import { mayBeSpoilt, refresh } from "../../../src/package/yum/refresh.ts";
import type { YumArguments } from "../../../src/package/yum/calls.ts";
import type { Ended } from "../../../src/package/result.ts";
import type { PackageName } from "../../../src/settings/settings.ts";
import { scratchFolder } from "../../host/scratch.ts";
import { saved } from "../saved.ts";

const cache = scratchFolder();
const repository = join(cache, "svc-0123456789abcdef");
mkdirSync(join(repository, "pubring"), { recursive: true });
for (const name of ["svc.solv", "svc-filenames.solvx", "packages.db"]) writeFileSync(join(cache, name), "");
const made = [repository, "svc-filenames.solvx", "svc.solv"].map((name) =>
  name === repository ? join(repository, "pubring") : join(cache, name),
);

const agent = "svc-ent" as PackageName;
const ok: Ended = { status: 0, stdout: "", output: "" };
const offered: Ended = { status: 0, stdout: saved("yum/offered.txt"), output: "" };
const failing = (said: string): Ended => ({ status: 1, stdout: "", output: said });

async function refreshing(
  asks: readonly Ended[],
  downloads: readonly Ended[],
): Promise<{ readonly came: unknown; readonly did: readonly string[] }> {
  const did: string[] = [];
  const [answers, fetched] = [[...asks], [...downloads]];
  const calls = {
    program: "dnf",
    ask: async () => answers.shift() ?? ok,
    download: async (args: YumArguments) => {
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
  return { came, did };
}

describe("what dnf has made of its lists", () => {
  test("is left alone where a refresh goes well", async () => {
    expect(await refreshing([offered], [ok])).toEqual({ came: undefined, did: ["some"] });
    expect(await refreshing([ok, offered], [ok])).toEqual({ came: undefined, did: ["all"] });
  });

  test("is made anew where nothing is offered at all, or a list cannot be loaded", async () => {
    expect(await refreshing([ok, ok], [ok])).toEqual({ came: undefined, did: ["all", ...made, "all"] });
    const broken = failing("Error: Loading repository 'svc' has failed");
    expect(await refreshing([offered], [broken])).toEqual({ came: undefined, did: ["some", ...made, "all"] });
  });

  test("is left alone where the server cannot be reached", async () => {
    const dead = failing("Error: Failed to download metadata for repo 'svc': Cannot download repomd.xml: All mirrors were tried");
    expect(await refreshing([offered], [dead])).toMatchObject({ came: { code: "refresh-failed" }, did: ["some"] });
    expect(mayBeSpoilt({ code: "no-space", message: "full" })).toBe(false);
  });

  test("is what can be made anew, and nothing where nothing is there", () => {
    expect(madeOfLists(cache)).toEqual(made);
    expect(madeOfLists(join(cache, "none"))).toEqual([]);
  });
});
