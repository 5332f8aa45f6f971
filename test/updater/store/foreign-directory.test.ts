import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { Fault } from "../../../src/rules/fault/fault.ts";
import { makeDirectory } from "../../../src/machine/files/directory.ts";
import { removeFile } from "../../../src/machine/files/remove-file.ts";
import { writeFileAtomically } from "../../../src/machine/files/write-file.ts";
import { holderOf, takeLock } from "../../../src/updater/store/lock.ts";
import { keepReserve, withReserve } from "../../../src/updater/store/reserve.ts";
import { missingForOtherUsers } from "../cli/readable-copy.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";

const missing = missingForOtherUsers();
if (missing !== undefined) console.warn(`SKIPPED: what root writes into another user's directory: ${missing}`);

const scratch = scratchFolder();
/** The directory's owner, who lays traps in it, and somebody else. */
const owner = 12_003;
const third = 12_004;

const state = `${scratch}/state`;
const paths = { root: "/", lock: `${state}/lock`, directory: state };
/** Root's, and all of it must be afterwards as it was. */
const roots = `${scratch}/roots`;
const victim = `${roots}/victim`;

/** What root's commands do there. */
const writers = {
  "takes the lock": () => {
    const lock = takeLock(paths, "retry");
    if (lock.kind === "held") lock.release();
  },
  "looks who holds the lock": () => holderOf(paths.lock),
  "writes a file": () => writeFileAtomically(`${state}/file`, "ours\n", { root: "/", mode: 0o644, fault: "state-unwritable" }),
  "removes a file": () => removeFile(`${state}/file`, "/"),
  "makes a directory": () => makeDirectory(`${state}/folder/below`, { root: "/", owner: { uid: 0, gid: 0 } }),
  "keeps the reserve": () => keepReserve(paths),
  "gives up the reserve": () => withReserve(paths, failingOnce()),
} as const;

/** The names that those use; what is in one list can be in the way at once. */
const names = [["lock", "file", "folder", ".reserve"], [`.file.${process.pid}.tmp`], ["folder/below"]] as const;

/** Shell commands of the owner's; `$1` is the name, `$2` the victim, `$3` the directory of root's that it lies in. */
const traps = {
  "a link to a file of root's": 'ln -s "$2" "$1"',
  "a link to where nothing is": 'ln -s "$3/new" "$1"',
  "a link to a directory of root's": 'ln -s "$3" "$1"',
  "a link to itself": 'ln -s "$1" "$1"',
  "a named pipe": 'mkfifo "$1"',
  "a directory with something in it": 'mkdir -p "$1/inner" && ln -s "$3" "$1/below"',
  "a file of its own that everybody may write": 'touch "$1" && chmod 666 "$1"',
} as const;

describe.skipIf(missing !== undefined)("in a directory that belongs to another user, root", () => {
  beforeEach(() => {
    rmSync(state, { recursive: true, force: true });
    rmSync(roots, { recursive: true, force: true });
    for (const folder of [state, roots]) mkdirSync(folder);
    writeFileSync(victim, "root's secret\n", { mode: 0o600 });
    for (const folder of [scratch, state]) chmodSync(folder, 0o755);
    chmodSync(roots, 0o700);
    chownSync(state, owner, owner);
  });

  test.each(Object.entries(traps))("finds %s at any name, and nothing outside changes", (_title, trap) => {
    for (const [does, write] of Object.entries(writers))
      for (const some of names) {
        empty();
        asOwner(`cd "${state}" && for name in ${some.join(" ")}; do
          set -- "$name" "$2" "$3"; mkdir -p "$(dirname "$1")" && { ${trap}; } || exit; done`);
        const before = outside();
        expect(toldBy(write)).not.toContain("secret");
        expect([does, some, outside()]).toEqual([does, some, before]);
      }
  });

  /** The kernel lets nobody lay one where fs.protected_hardlinks is set, as it usually is; so root lays it here. */
  test("finds a second name of its own file at any name, and nothing outside changes", () => {
    for (const write of Object.values(writers))
      for (const name of names.flat()) {
        empty();
        mkdirSync(dirname(`${state}/${name}`), { recursive: true });
        linkSync(victim, `${state}/${name}`);
        const { mode, size, mtimeMs } = lstatSync(victim);
        expect(toldBy(write)).not.toContain("secret");
        expect(lstatSync(victim)).toMatchObject({ mode, uid: 0, gid: 0, size, mtimeMs });
        expect(readFileSync(victim, "utf8")).toBe("root's secret\n");
      }
  });

  test("writes nothing outside while the owner exchanges everything all the time", async () => {
    const before = outside();
    const exchange = names
      .flat()
      .filter((name) => name !== "folder/below")
      .map(
        (name) => `rm -rf "${name}"; ln -s "${victim}" "${name}"; rm -rf "${name}"; ln -s "${roots}" "${name}"; rm -rf "${name}"`,
      );
    const loop = `cd "${state}" && while :; do ${exchange.join("; ")}; done 2>/dev/null`;
    const child = spawn("setpriv", [...asUser, "sh", "-c", loop], { detached: true });
    try {
      for (let round = 0; round < 40; round++) for (const write of Object.values(writers)) toldBy(write);
    } finally {
      // With what it has started, which would lay one more name: its pipes are closed once all of them are gone.
      process.kill(-child.pid!, "SIGKILL");
      await once(child, "close");
    }
    expect(outside()).toEqual(before);
  });

  test("gives that user the lock that it makes, and the user's own pass can take it", () => {
    const lock = takeLock(paths, "retry");
    expect(lstatSync(paths.lock)).toMatchObject({ uid: owner, gid: owner, mode: 0o100600 });
    expect(spawnSync("setpriv", [...asUser, "flock", "-n", paths.lock, "true"]).status).toBe(1);
    if (lock.kind === "held") lock.release();
    expect(spawnSync("setpriv", [...asUser, "flock", "-n", paths.lock, "true"]).status).toBe(0);
    expect(takeLock(paths, "retry").kind).toBe("held");
  });

  test("gives that user the lock too that a root made who died in the next moment", () => {
    writeFileSync(paths.lock, "", { mode: 0o644 });
    const lock = takeLock(paths, "retry");
    expect(lstatSync(paths.lock)).toMatchObject({ uid: owner, gid: owner, mode: 0o100600 });
    if (lock.kind === "held") lock.release();
  });

  test.each([
    ["a third user's file", third, ""],
    ["a file of root's with something in it", 0, "root's secret\n"],
  ])("takes %s for no lock, and leaves it as it is", (_title, uid, text) => {
    writeFileSync(paths.lock, text, { mode: 0o640 });
    chownSync(paths.lock, uid, uid);
    expect(() => takeLock(paths, "retry")).toThrow(
      new RegExp(`lock is not used as a lock: it belongs to user ${uid}, and the directory around it to user ${owner}$`),
    );
    expect(lstatSync(paths.lock)).toMatchObject({ uid, gid: uid, mode: 0o100640, size: text.length });
  });
});

const asUser = [`--reuid=${owner}`, `--regid=${owner}`, "--clear-groups"];

function asOwner(script: string): void {
  execFileSync("setpriv", [...asUser, "sh", "-c", script, "trap", "", victim, roots]);
}

function empty(): void {
  for (const name of readdirSync(state)) rmSync(`${state}/${name}`, { recursive: true });
}

/** All of what is root's, by names, contents, owners, rights and times. */
function outside(): unknown {
  return [roots, ...readdirSync(roots).map((name) => `${roots}/${name}`)].map((path) => {
    const { uid, gid, mode, nlink, size, mtimeMs, ctimeMs } = statSync(path);
    return [path, uid, gid, mode, nlink, size, mtimeMs, ctimeMs, path === roots ? "" : readFileSync(path, "utf8")];
  });
}

/** What root would read on its screen. */
function toldBy(write: () => unknown): string {
  try {
    return JSON.stringify(write()) ?? "";
  } catch (thrown) {
    if (thrown instanceof Error) return `${thrown.message} ${thrown instanceof Fault ? thrown.hint : ""}`;
    throw thrown;
  }
}

function failingOnce(): () => void {
  let tries = 0;
  return () => {
    tries += 1;
    if (tries === 1)
      throw new Fault("state-unwritable", { message: "", hint: "", cause: Object.assign(new Error(), { code: "ENOSPC" }) });
  };
}
