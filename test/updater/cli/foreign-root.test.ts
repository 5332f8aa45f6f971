import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
} from "node:fs";
import { readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { buildRepository } from "../../demo/repository.ts";
import { makeRoot, missingForRoots, program, versionsOfFile, type Root } from "./given.ts";

const missing = process.getuid?.() === 0 ? missingForRoots() : "only root can have trees of other users";
if (missing !== undefined) console.warn(`SKIPPED: the tests of root on somebody else's tree: ${missing}`);

const stranger = 65_534;

const versions = await versionsOfFile();
versions.serve({ version: "15.4.6" });

/** A tree that is one's own but for what is laid in it, and a folder outside that has to stay as it is. */
type Scene = { readonly root: Root; readonly outside: string; readonly victim: string };

function scene(): Scene {
  const root = makeRoot("15.4.5");
  root.write("etc/apt/sources.list.d/test.list", `deb [trusted=yes] ${versions.url}/packages ./\n`);
  root.schedule("open");
  chmodSync(dirname(root.path), 0o755);
  chmodSync(root.path, 0o755);
  const outside = mkdtempSync(join(tmpdir(), "svc-upgrade-outside-"));
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  const victim = join(outside, "victim");
  writeFileSync(victim, "the machine's\n");
  return { root, outside, victim };
}

/** All that lies below a folder, with what would show that it was touched. */
function below(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return ["", ...entries].map((name) => {
    const { ino, mode, uid, gid, size, nlink, mtimeMs, ctimeMs } = lstatSync(join(folder, name));
    return [name, ino, mode, uid, gid, size, nlink, mtimeMs, ctimeMs].join(" ");
  });
}

function giveAll(folder: string): void {
  spawnSync("chown", ["-hR", `${stranger}:${stranger}`, folder]);
}

const looking: readonly (readonly string[])[] = [
  ["doctor"],
  ["doctor", "--json"],
  ["dry-run"],
  ["dry-run", "--at", "03:30"],
  ["status"],
  ["status", "--json"],
  ["schedule"],
  ["route"],
  ["config"],
  ["version"],
];

const acting: readonly (readonly string[])[] = [
  ["run"],
  ["run", "--now", "--install"],
  ["rollback"],
  ["retry"],
  ["hold", "--until", "2h"],
  ["unhold"],
  ["pin", "15.4.6"],
  ["unpin"],
  ["enroll"],
  ["unenroll"],
];

function titled(commands: readonly (readonly string[])[]): [title: string, words: readonly string[]][] {
  return commands.map((words) => [words.join(" "), words]);
}

const asks: ReadonlySet<string> = new Set(["doctor", "dry-run", "run", "route", "config", "enroll"]);

function call(words: readonly string[], root: string): ReturnType<typeof program> {
  const endpoint = asks.has(words[0] ?? "") ? ["--endpoint", versions.url] : [];
  return program([...words, ...endpoint, "--root", root]);
}

/** What a tree's owner may lay in the way of files that this program, or apt, has reason to write. */
const traps: readonly (readonly [title: string, lay: (scene: Scene) => void])[] = [
  ...[
    ...["state.json", "lock", ".reserve"].map((name) => `svc-upgrade-decide/${name}`),
    ...["apt.conf", "state.json", "ledger.json", "lock", "begun-settings.json", "enrolment.json", "apt-routes.conf"].map(
      (name) => `svc-upgrade/${name}`,
    ),
  ].map(
    (path) =>
      [
        `a link at var/lib/${path}`,
        ({ root, victim }: Scene) => {
          mkdirSync(join(root.path, "var/lib", dirname(path)));
          symlinkSync(victim, join(root.path, "var/lib", path));
        },
      ] as const,
  ),
  [
    "a second name of a file at var/lib/svc-upgrade-decide/lock",
    ({ root, victim }) => {
      mkdirSync(join(root.path, "var/lib/svc-upgrade-decide"));
      linkSync(victim, join(root.path, "var/lib/svc-upgrade-decide/lock"));
    },
  ],
  ...[
    "var/lib/svc-upgrade",
    "var/lib/svc-upgrade-decide",
    "etc/svc-upgrade",
    "etc/svc-upgrade.d",
    "var/cache/apt",
    "var/lib/apt/lists",
    "var/log/apt",
  ].map(
    (name) =>
      [
        `a link at ${name}`,
        ({ root, outside }: Scene) => {
          rmSync(join(root.path, name), { recursive: true, force: true });
          symlinkSync(outside, join(root.path, name));
        },
      ] as const,
  ),
];

describe.skipIf(missing !== undefined)("root, on a tree of somebody else", () => {
  test.each(titled(looking))("only looks with %s, and writes nothing anywhere", async (_title, words) => {
    const one = scene();
    for (const [, lay] of traps) {
      try {
        lay(one);
      } catch {
        // Another trap stands in its place already.
      }
    }
    giveAll(one.root.path);
    const before = [below(one.root.path), below(one.outside)];
    await call(words, one.root.path);
    expect([below(one.root.path), below(one.outside)]).toEqual(before);
  });

  test("has apt plan a whole move, and neither of them writes anything", async () => {
    const { root } = scene();
    const repository = join(dirname(root.path), "repository");
    mkdirSync(repository);
    await buildRepository(repository, ["15.4.5", "15.4.6"]);
    root.write("etc/apt/sources.list.d/test.list", `deb [trusted=yes] file:${repository}/packages ./\n`);
    root.schedule("closed");
    // Its owner's own pass fetches the lists; what caches that leaves are not those of a question.
    const fetched = await call(["run", "--now"], root.path);
    expect([fetched.status, fetched.stderr]).toEqual([0, expect.stringContaining("upgraded svc-ent from 15.4.5 to 15.4.6")]);
    root.write("var/lib/dpkg/status", root.read("var/lib/dpkg/status").replace("Version: 15.4.6", "Version: 15.4.5"));
    for (const cache of ["pkgcache.bin", "srcpkgcache.bin"]) rmSync(join(root.path, "var/cache/apt", cache), { force: true });
    giveAll(root.path);
    const before = below(root.path);
    const { stdout } = await call(["doctor", "--json"], root.path);
    expect(stdout).toContain("nothing else would be removed or changed");
    await call(["dry-run"], root.path);
    expect(below(root.path)).toEqual(before);
  });

  test.each(titled(acting))("changes nothing with %s, and is told whose it is", async (_title, words) => {
    const { root, outside } = scene();
    giveAll(root.path);
    const before = [below(root.path), below(outside)];
    const { status, stdout, stderr } = await call(words, root.path);
    expect([status, stdout]).toEqual([78, ""]);
    expect(stderr).toContain(`${root.path} belongs to user ${stranger}`);
    expect(stderr).toContain("fault=path-untrusted");
    expect([below(root.path), below(outside)]).toEqual(before);
  });

  test.each(["var", "var/lib", "var/lib/dpkg", "var/cache/apt", "etc", "usr/bin"])(
    "changes nothing where /%s alone is another user's",
    async (path) => {
      const { root } = scene();
      mkdirSync(join(root.path, path), { recursive: true });
      chownSync(join(root.path, path), stranger, stranger);
      const before = below(root.path);
      const { status, stderr } = await call(["run", "--now"], root.path);
      expect([status, below(root.path)]).toEqual([78, before]);
      expect(stderr).toContain(`${join(root.path, path)} belongs to user ${stranger}`);
    },
  );

  // What apt itself writes goes by the links of a tree that is root's: they are root's own word.
  const ours = traps.filter(([title]) => title.includes("svc-upgrade"));
  test.each(ours)("writes nothing of its own outside by %s, though the tree is root's", async (_title, lay) => {
    const one = scene();
    lay(one);
    for (const words of [["run", "--now"], ["hold"], ["retry"], ["unhold"], ["pin", "15.4.6"], ["unpin"]])
      await call(words, one.root.path);
    expect([readdirSync(one.outside), readFileSync(one.victim, "utf8")]).toEqual([["victim"], "the machine's\n"]);
    expect(lstatSync(one.victim).mode & 0o777).toBe(0o644);
  });
});

const hostileNames: readonly string[] = [
  'a"; DPkg::Pre-Invoke {"touch PWNED"; }; "',
  "a\nDPkg::Pre-Invoke {touch PWNED};",
  "a$(touch PWNED)",
  "a#clear DPkg;",
];

/** Where a command that a name brought along would leave its mark: the directory that everything is started in. */
const mark = (): string => join(process.cwd(), "PWNED");

describe.skipIf(missing !== undefined)("a root whose name could be read as more than a name", () => {
  test.each(hostileNames)("%j is refused by every command", async (name) => {
    const { root } = scene();
    const folder = join(root.path, name);
    mkdirSync(folder);
    makeRoot("15.4.5", folder);
    const before = below(folder);
    for (const words of [...looking, ...acting]) {
      const { status, stderr } = await call(words, folder);
      expect([words, status]).toEqual([words, 64]);
      expect(stderr).toContain("package managers would read more in its name");
      expect(stderr.split("\n")).toHaveLength(2);
    }
    expect([existsSync(mark()), below(folder)]).toEqual([false, before]);
  });

  test.each(["with blanks in it", "Ünïcode", "a,b=c:d@e~f+g"])("%j is a name like any other", async (name) => {
    const { root } = scene();
    const folder = join(root.path, name);
    mkdirSync(folder);
    const other = makeRoot("15.4.5", folder);
    other.schedule("open");
    const { status, stdout } = await call(["doctor", "--json"], folder);
    const { checks } = JSON.parse(stdout) as { checks: readonly { name: string; verdict: string }[] };
    expect(
      checks.filter(({ name: check }) => ["package", "manager", "disk"].includes(check)).map(({ verdict }) => verdict),
    ).toEqual(["ok", "ok", "ok"]);
    expect([0, 69]).toContain(status);
    expect((await call(["hold"], folder)).status).toBe(0);
    expect(readdirSync(join(folder, "etc/svc-upgrade"))).toEqual(["90-hold.yaml"]);
  });

  test("is followed to its end first: a link with a plain name hides none", async () => {
    const { root } = scene();
    mkdirSync(join(root.path, 'a"b'));
    symlinkSync('a"b', join(root.path, "plain"));
    expect(readlinkSync(join(root.path, "plain"))).toBe('a"b');
    expect((await call(["status"], join(root.path, "plain"))).status).toBe(64);
  });
});
