import { describe, expect, test } from "vitest";
import { mayEverybodyWrite, mayWrite } from "../../../src/updater/doctor/schedule.ts";

const agent = { uid: 1000, gids: [1000, 4] };
const open = { uid: 0, gid: 0, mode: 0o755 };
const own = { uid: 1000, gid: 1000, mode: 0o755 };

describe("whether a user may write a file", () => {
  test.each([
    ["its group's, whose members may only read", { uid: 0, gid: 4, mode: 0o646 }, open, false],
    ["root's", { uid: 0, gid: 0, mode: 0o664 }, open, false],
    ["its own in a closed directory", { uid: 1000, gid: 1000, mode: 0o644 }, { uid: 0, gid: 0, mode: 0o700 }, false],
    ["none yet in its own directory", "missing", own, true],
    ["none yet in a directory that it cannot enter", "missing", { uid: 1000, gid: 1000, mode: 0o655 }, false],
    ["none yet and no directory", "missing", "missing", false],
  ] as const)("%s", (_title, file, directory, may) => {
    expect(mayWrite(agent, file, directory)).toBe(may);
    expect(mayWrite({ uid: 0, gids: [0] }, file, directory)).toBe(true);
  });

  test("everybody may, unless only owners may remove what is in a directory", () => {
    expect([0o666, 0o777, 0o1777, 0o664].map((mode) => mayEverybodyWrite({ mode }))).toEqual([true, true, false, false]);
  });
});
