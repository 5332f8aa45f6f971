import { expect, test } from "vitest";
import { largestFile, sayingCutOff } from "../../../../src/updater/package/rpm/largest-file.ts";
import { yumFault } from "../../../../src/updater/package/yum/failure.ts";
import { zypperFault } from "../../../../src/updater/package/zypper/failure.ts";
import { savedEnded } from "../saved.ts";

const cache = "/var/cache/manager";
const kept = "/var/lib/kept";

const told = { message: expect.stringContaining("more than 1 GiB came for one file") };

test.each([
  { manager: "yum", answer: "download-no-space" },
  { manager: "zypper", answer: "refresh-cut-off" },
])("a file that $manager cuts off at the limit is told from a full disk by the room that there is", ({ manager, answer }) => {
  const unwritten = savedEnded(`${manager}/${answer}`, 1);
  const fault = (...rooms: readonly [number, number]): unknown => {
    const ended = sayingCutOff(unwritten, [cache, kept], (path) => (path === cache ? rooms[0] : rooms[1]));
    return manager === "yum" ? yumFault(ended.output, { program: "dnf", command: "makecache" }) : zypperFault(ended, "download");
  };
  expect(fault(largestFile, largestFile)).toMatchObject({ code: "download-failed", ...told });
  expect(fault(largestFile - 1, largestFile)).toMatchObject({ code: "no-space" });
  expect(fault(largestFile, largestFile - 1)).toMatchObject({ code: "no-space" });
});

test("nothing is said of a call that fails otherwise", () => {
  const ended = savedEnded("yum/download-unsigned", 1);
  expect(sayingCutOff(ended, [cache], () => largestFile)).toBe(ended);
});
