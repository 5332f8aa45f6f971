import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import type { Change } from "../../../../src/updater/package/manager/manager.ts";
import { askBuild } from "../../../../src/updater/package/yum/working-half.ts";
import type { YumArguments } from "../../../../src/updater/package/yum/calls.ts";
import { needs } from "../../../../src/updater/package/yum/yum-examiner.ts";
import { pidLockHolderAmong } from "../../../../src/machine/processes/lock-holder.ts";
import { askKeys } from "../../../../src/updater/package/yum/act.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";
import type { PackageVersion } from "../../../../src/rules/version/wrapped.ts";
import type { Ended } from "../../../../src/updater/package/call/result.ts";
import { scratchFolder } from "../../../machine/files/scratch.ts";
import { rpmThatSays } from "../rpm/says.ts";
import { savedEnded } from "../saved.ts";

const agent = "svc-ent" as PackageName;
const to = "15.4.6-1" as PackageVersion;
const scratch = scratchFolder();

function dnf(answer: (args: YumArguments) => Ended): (args: YumArguments) => Promise<Ended> {
  return (args) => Promise.resolve(answer(args));
}

describe("the keys that rpm trusts", () => {
  test("are all that it has", async () => {
    expect(await askKeys({ run: rpmThatSays("-----BEGIN PGP\n").run, root: "/" })).toBe("-----BEGIN PGP\n");
  });

  test("are none where it says so in words", async () => {
    expect(await askKeys({ run: rpmThatSays("package gpg-pubkey is not installed\n", { status: 1 }).run, root: "/" })).toBe("");
  });
});

describe("the room that a change takes", () => {
  const change: Change = { name: agent, to, direction: "up", hold: "none", beside: [] };
  const sizes = (rows: string): Ended => ({ status: 0, stdout: rows, output: rows });

  test("is that of all that dnf plans, below the root", async () => {
    const asked: string[] = [];
    const ask = dnf((args) => {
      asked.push(args.slice(args.indexOf("--qf") + 2).join(" "));
      return args.includes("repoquery") ? sizes("svc-ent|100|1000\nlibnew|10|50\n") : savedEnded("yum/simulate-others", 1);
    });
    const found = await needs({ run: rpmThatSays("").run, root: "/mnt", ask }, agent, change);
    expect(found).toEqual([
      { path: "/mnt/var/cache/dnf", bytes: 110 },
      { path: "/mnt/usr", bytes: 1050 },
      { path: "/mnt/var/lib", bytes: 32 * 1024 * 1024 },
    ]);
    expect(asked.at(-1)).toBe("svc-ent-0:15.4.6-1 bystander libbreaks provider");
  });

  test("is that of the package alone where dnf makes no plan, as it does for root only", async () => {
    const ask = dnf((args) =>
      args.includes("repoquery")
        ? sizes(args.at(-1) === "svc-ent-0:15.4.6-1" ? "svc-ent|100|1000\n" : "")
        : savedEnded("yum/not-root", 1),
    );
    const found = await needs({ run: rpmThatSays("").run, root: "/", ask }, agent, change);
    expect(found.map(({ bytes }) => bytes)).toEqual([100, 1000, 32 * 1024 * 1024]);
  });

  test("is as much as the installed one where no version is served", async () => {
    const ask = dnf(() => sizes(""));
    const found = await needs({ run: rpmThatSays("695345\n").run, root: "/", ask }, agent, undefined);
    expect(found.map(({ path, bytes }) => [path, bytes])).toEqual([
      ["/var/cache/dnf", 695_345],
      ["/usr", 695_345],
      ["/var/lib", 32 * 1024 * 1024],
    ]);
    const absent = rpmThatSays("package svc-ent is not installed\n", { status: 1 });
    expect((await needs({ run: absent.run, root: "/", ask }, agent, undefined))[0]).toMatchObject({ bytes: 0 });
  });
});

describe("dnf's own locks", () => {
  const lock = (name: string, text: string): string => {
    const root = `${scratch}/${name}`;
    const path = `${root}/var/lib/dnf/rpmdb_lock.pid`;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return root;
  };
  const holderBelow = (root: string): unknown => pidLockHolderAmong(root, ["/var/lib/dnf/rpmdb_lock.pid"]);

  test("count while their process lives", () => {
    expect(holderBelow(lock("alive", `${process.pid}\n`))).toMatchObject({
      pid: process.pid,
      program: expect.any(String) as string,
    });
  });

  test.each([
    ["of a process that has ended", "4194305"],
    ["that is no number", "someone"],
    ["that is empty", ""],
  ])("do not where there is one %s", (title, text) => {
    expect(holderBelow(lock(title, text))).toBeUndefined();
  });

  test("are none where there is no file", () => {
    expect(holderBelow(`${scratch}/none`)).toBeUndefined();
  });
});

describe("the file of a version", () => {
  const said = (stdout: string, status = 0): Ended => ({ status, stdout, output: stdout });

  test("is known by its size, where all repositories agree on it", async () => {
    const asked = (answer: Ended): ReturnType<typeof askBuild> =>
      askBuild({ ask: dnf(() => answer), program: "dnf" }, { name: agent, to });
    expect(await asked(said("339001\n339001\n"))).toEqual({ sha256: undefined, bytes: 339_001 });
    expect(await asked(said("339001\n339002\n"))).toEqual({ sha256: undefined, bytes: undefined });
    await expect(asked(said("Error: no such command\n", 1))).rejects.toMatchObject({ name: "Fault" });
  });
});
