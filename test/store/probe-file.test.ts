import { chmodSync, linkSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { hopNames, type Probe } from "../../src/record/probe.ts";
import { readProbe, writeProbe } from "../../src/store/probe-file.ts";
import { scratchFolder } from "../host/scratch.ts";

const folder = scratchFolder();
const path = `${folder}/probe.json`;
const own = process.getuid?.() ?? -1;
const expected = { pass: "p1", now: 1000, isOwner: (uid: number) => uid === own };
const probe: Probe = {
  pass: "p1",
  at: 990,
  checks: hopNames.map((name) => ({ name, verdict: "ok", told: "well ".repeat(100).trim() })),
  answer: { kind: "served", served: { kind: "none" }, isCritical: false },
};

describe("a probe's file", () => {
  test("is for everyone to read, and is taken when it is this one's, fresh and from the right owner", () => {
    writeProbe(path, probe);
    expect(statSync(path).mode & 0o777).toBe(0o644);
    expect(readProbe(path, expected)).toEqual(probe);
  });

  test.each([
    ["is not there", () => rmSync(path), expected, "it is not there"],
    ["is a link", () => (rmSync(path), symlinkSync("/etc/hostname", path)), expected, "it is a symbolic link"],
    ["has a second name", () => linkSync(path, `${folder}/second`), expected, "it has 2 names"],
    ["is too large", () => writeFileSync(path, " ".repeat(16_385)), expected, "it is larger than 16384 bytes"],
    ["is somebody else's", () => {}, { ...expected, isOwner: () => false }, `it belongs to user ${own}`],
    ["can be written by others", () => chmodSync(path, 0o664), expected, "others may write it (mode 664)"],
    ["is no JSON", () => writeFileSync(path, "<html>"), expected, "it is not JSON"],
    ["is another walk's", () => {}, { ...expected, pass: "p2" }, "it answers the pass p1, not p2"],
    ["is old", () => {}, { ...expected, now: 1291 }, "it was written 301 seconds ago"],
  ])("is refused when it %s", (_title, change, wanted, why) => {
    rmSync(path, { force: true });
    writeProbe(path, probe);
    change();
    expect(() => readProbe(path, wanted)).toThrow(
      expect.objectContaining({ code: "hand-over-invalid", message: expect.stringContaining(why) as string }),
    );
    rmSync(`${folder}/second`, { force: true });
  });
});
