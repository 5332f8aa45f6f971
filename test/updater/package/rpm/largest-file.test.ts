import { expect, test } from "vitest";
import { heldToLargestFile, largestFile, sayingCutOff } from "../../../../src/updater/package/rpm/largest-file.ts";
import { yumFault } from "../../../../src/updater/package/yum/failure.ts";
import { refreshFault, zypperFault } from "../../../../src/updater/package/zypper/failure.ts";
import { savedEnded } from "../saved.ts";

const cache = "/var/cache/manager";
const kept = "/var/lib/kept";

const told = { message: expect.stringContaining("more than 1 GiB came for one file") };

test("a download is held to a gibibyte a file: a write beyond that fails, and kills nobody", () => {
  expect(heldToLargestFile(["dnf", "makecache"]).join(" ")).toBe(
    "env --ignore-signal=XFSZ prlimit --fsize=1073741824 -- dnf makecache",
  );
});

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

test("a list that zypper cuts off is told as what became of the refresh", () => {
  const ended = sayingCutOff(savedEnded("zypper/refresh-cut-off", 4), [cache], () => largestFile);
  expect(refreshFault(ended)).toMatchObject({ code: "refresh-failed", ...told });
});

test.each([
  { what: "goes well", ended: savedEnded("yum/download-up", 0) },
  { what: "fails otherwise", ended: savedEnded("yum/download-unsigned", 1) },
])("nothing is said of a call that $what", ({ ended }) => {
  expect(sayingCutOff(ended, [cache], () => largestFile)).toBe(ended);
});
