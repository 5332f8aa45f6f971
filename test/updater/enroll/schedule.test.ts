import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { insideTaken } from "../../../src/updater/enroll/directory.ts";
import type { Done } from "../../../src/updater/enroll/done.ts";
import { giveSchedule } from "../../../src/updater/enroll/give-schedule.ts";
import { placesOf, schedulePlacesOf, type Places, type SchedulePlaces } from "../../../src/updater/enroll/places.ts";
import { returnSchedule } from "../../../src/updater/enroll/return-schedule.ts";
import { lookAtSchedule } from "../../../src/updater/enroll/schedule-found.ts";
import { pathsBelow } from "../../../src/machine/files/paths.ts";
import { defaults } from "../../../src/rules/settings/defaults.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";

const scratch = scratchFolder();
const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn("SKIPPED: the tests of giving files to another user: only root can");

const root = 0;
const agent = 12_001;
const stranger = 12_002;
const user = { name: "svc", uid: agent };

type Tried = SchedulePlaces & Pick<Places, "settings">;

let places: Tried;
beforeEach(() => {
  places = freshPlaces();
});

function freshPlaces(): Tried {
  const paths = pathsBelow(mkdtempSync(`${scratch}/root-`));
  const { settings } = placesOf(paths);
  mkdirSync(settings, { recursive: true });
  return { settings, ...schedulePlacesOf(paths, defaults["agent.schedule_file"].value) };
}

function give(earlierUid: number = agent): Done {
  const owners = [root, agent, earlierUid];
  return giveSchedule(places, { found: lookAtSchedule(places, { owners, agentUid: agent }), user, ownerUid: root, owners });
}

/** A directory as the package ships it, or as somebody left it. */
function make(uid: number = root, mode: number = 0o755): void {
  mkdirSync(places.directory);
  chmodSync(places.directory, mode);
  chownSync(places.directory, uid, 0);
}

function write(text: string, uid: number = root): void {
  writeFileSync(places.schedule, text);
  chownSync(places.schedule, uid, 0);
}

function ownerOf(path: string): readonly [uid: number, mode: string] {
  const { uid, mode } = lstatSync(path);
  return [uid, (mode & 0o7777).toString(8)];
}

describe.runIf(isRoot)("the schedule", () => {
  test.each([0o022, 0o077])("is made, empty, and given with its directory to the agent's user, under the umask %o", (mask) => {
    const umask = process.umask(mask);
    try {
      expect(give()).toMatchObject({ change: "made", told: `made ${places.schedule}, for svc to write` });
    } finally {
      process.umask(umask);
    }
    expect([ownerOf(places.directory), ownerOf(places.schedule)]).toEqual([
      [agent, "755"],
      [agent, "644"],
    ]);
    expect(readFileSync(places.schedule, "utf8")).toBe("");
  });

  test("that is there is given as it is, and nothing is touched the second time", () => {
    make();
    write("nop\n");
    chmodSync(places.schedule, 0o600);
    expect(give()).toMatchObject({ change: "given", told: `gave ${places.schedule} to svc` });
    expect(ownerOf(places.schedule)).toEqual([agent, "600"]);
    expect(readFileSync(places.schedule, "utf8")).toBe("nop\n");
    const before = [places.directory, places.schedule].map((path) => lstatSync(path, { bigint: true }).ctimeNs);
    expect(give()).toMatchObject({ change: "none", told: `already enrolled: ${places.schedule} belongs to svc` });
    expect([places.directory, places.schedule].map((path) => lstatSync(path, { bigint: true }).ctimeNs)).toEqual(before);
  });

  const traps: readonly (readonly [string, () => void, string])[] = [
    ["a link to what only root may read", () => symlinkSync("../shadow", places.schedule), "it is a symbolic link"],
    [
      "another name of what only root may read",
      () => linkSync(`${places.directory}/../shadow`, places.schedule),
      "it has 2 names",
    ],
    ["a pipe", () => execFileSync("mkfifo", [places.schedule]), "it is not a regular file"],
    ["a directory", () => mkdirSync(places.schedule), "it is not a regular file"],
    ["a stranger's file", () => write("nop\n", stranger), `it belongs to user ${stranger}`],
  ];

  test("that does not lie alone in root's directory is refused; what lies beside it in the agent's own is the agent's", () => {
    make();
    write("nop\n");
    writeFileSync(`${places.directory}/keys`, "");
    const why = `${places.directory} is not given to the agent's user: it holds "keys" as well`;
    // Before anything is asked or changed.
    expect(() => lookAtSchedule(places, { owners: [root], agentUid: agent })).toThrow(why);
    expect([ownerOf(places.directory), ownerOf(places.schedule)]).toEqual([
      [root, "755"],
      [root, "644"],
    ]);
    chownSync(places.directory, agent, 0);
    expect(give()).toMatchObject({ change: "given" });
  });

  test("beside which something appears between looking and giving is refused as well", () => {
    make();
    const owners = [root, agent];
    const found = lookAtSchedule(places, { owners, agentUid: agent });
    writeFileSync(`${places.directory}/keys`, "");
    expect(() => giveSchedule(places, { found, user, ownerUid: root, owners })).toThrow('it holds "keys" as well');
    expect(ownerOf(places.directory)).toEqual([root, "755"]);
  });

  test.each(traps)("that is %s is refused, whoever owns the directory", (_title, plant, why) => {
    for (const uid of [root, agent]) {
      places = freshPlaces();
      make(uid);
      const shadow = `${places.directory}/../shadow`;
      writeFileSync(shadow, "secret", { mode: 0o600 });
      plant();
      const before = lstatSync(places.schedule);
      expect(() => give()).toThrow(`${places.schedule} is not given to the agent's user: ${why}`);
      expect([ownerOf(shadow), ownerOf(places.directory)]).toEqual([
        [root, "600"],
        [uid, "755"],
      ]);
      expect(lstatSync(places.schedule)).toMatchObject({ uid: before.uid, ino: before.ino });
    }
  });

  test.each(traps)("that becomes %s between looking and giving is refused as well", (_title, plant) => {
    make(agent);
    writeFileSync(`${places.directory}/../shadow`, "secret", { mode: 0o600 });
    const owners = [root, agent];
    const found = lookAtSchedule(places, { owners, agentUid: agent });
    plant();
    expect(() => giveSchedule(places, { found, user, ownerUid: root, owners })).toThrow(places.schedule);
    expect([ownerOf(`${places.directory}/../shadow`), ownerOf(places.directory)]).toEqual([
      [root, "600"],
      [agent, "755"],
    ]);
  });

  test("in a directory that is a file is refused", () => {
    writeFileSync(places.directory, "");
    expect(() => give()).toThrow(`${places.directory} is not given to the agent's user: it is not a directory`);
    expect(ownerOf(places.settings)).toEqual([root, "755"]);
  });

  test("lies in a directory that is nobody else's while it is worked on", () => {
    make(agent, 0o777);
    const meanwhile = insideTaken(places, { meanwhile: root, afterwards: stranger }, () => ownerOf(places.directory));
    expect([meanwhile, ownerOf(places.directory)]).toEqual([
      [root, "755"],
      [stranger, "777"],
    ]);
    expect(() =>
      insideTaken(places, { meanwhile: root, afterwards: agent }, () => {
        throw new Error("broken off");
      }),
    ).toThrow("broken off");
    expect(ownerOf(places.directory)).toEqual([stranger, "777"]);
  });
});

describe.runIf(isRoot)("a schedule that is taken back", () => {
  const absent = { kind: "absent" } as const;
  const made = { directory: absent, schedule: absent };

  function takeBack(before: Parameters<typeof returnSchedule>[1]["before"]): Done {
    return returnSchedule(places, { before, ownerUid: root, agentUid: agent });
  }

  test("goes away with its directory where enroll made both and nobody wrote", () => {
    give();
    expect(takeBack(made)).toMatchObject({ change: "removed", told: `removed ${places.directory}` });
    expect(existsSync(places.directory)).toBe(false);
  });

  test("keeps what the agent wrote, and is root's", () => {
    give();
    write("nop\n", agent);
    expect(takeBack(made)).toMatchObject({ told: `gave ${places.schedule} back to root, with what is in it` });
    expect([ownerOf(places.directory), ownerOf(places.schedule)]).toEqual([
      [root, "755"],
      [root, "644"],
    ]);
    expect(readFileSync(places.schedule, "utf8")).toBe("nop\n");
  });

  test("has the owners back that it had, and stays though it is empty", () => {
    make(stranger);
    write("", stranger);
    const before = lookAtSchedule(places, { owners: [stranger], agentUid: agent });
    give(stranger);
    expect(takeBack(before)).toMatchObject({ change: "returned", told: expect.stringContaining(`back to user ${stranger}`) });
    expect([ownerOf(places.directory), ownerOf(places.schedule)]).toEqual([
      [stranger, "755"],
      [stranger, "644"],
    ]);
  });

  test("stays where something else lies beside it", () => {
    give();
    writeFileSync(`${places.directory}/notes`, "");
    expect(takeBack(made)).toMatchObject({ change: "removed", told: `removed ${places.schedule}` });
    expect(ownerOf(places.directory)).toEqual([root, "755"]);
  });

  test("was root's all along where the agent is root's", () => {
    make();
    write("nop\n");
    expect(
      returnSchedule(places, {
        before: lookAtSchedule(places, { owners: [root], agentUid: root }),
        ownerUid: root,
        agentUid: root,
      }),
    ).toMatchObject({
      change: "kept",
      told: `kept ${places.schedule}`,
    });
  });

  test.each<readonly [string, () => void, string]>([
    ["became a link", () => symlinkSync("../shadow", places.schedule), "it is a symbolic link"],
    ["became another name of a file", () => linkSync(`${places.directory}/../shadow`, places.schedule), "it has 2 names"],
    ["was given to somebody else since", () => write("nop\n", stranger), `it belongs to user ${stranger}`],
  ])("that %s is left as it is and named", (_title, plant, why) => {
    give();
    execFileSync("rm", [places.schedule]);
    writeFileSync(`${places.directory}/../shadow`, "secret", { mode: 0o600 });
    plant();
    expect(takeBack(made)).toMatchObject({ change: "kept", told: `left ${places.schedule} as it is: ${why}` });
    expect(ownerOf(`${places.directory}/../shadow`)).toEqual([root, "600"]);
    expect(existsSync(places.directory)).toBe(true);
  });

  test("is gone already, or its directory is not what it was", () => {
    give();
    execFileSync("rm", [places.schedule]);
    expect(takeBack({ ...made, directory: { kind: "present", uid: root } })).toMatchObject({
      told: `${places.schedule} was gone already`,
    });
    chownSync(places.directory, stranger, 0);
    expect(takeBack(made)).toMatchObject({ told: `left ${places.directory} as it is: it belongs to user ${stranger}` });
    execFileSync("rmdir", [places.directory]);
    expect(takeBack(made)).toMatchObject({ change: "none", told: `${places.directory} was gone already` });
  });
});
