/*
 * For foreign-file.test.ts, in a mount namespace of its own: mounts a file system that user 1000 serves, and that never answers, at
 * POINT, and prints as JSON what becomes of every kind of look at each PATH, and of one at POINT as a name in an open directory.
 */
import { execFileSync } from "node:child_process";
import { openSync } from "node:fs";
import { basename, dirname } from "node:path";
import { lookAt } from "../../../src/updater/doctor/look-at.ts";
import { asFault } from "../../../src/rules/fault/explain.ts";
import { reach, reachIn, readForeignFile } from "../../../src/machine/files/foreign-file.ts";
import { readCaFile } from "../../../src/machine/network/ca-file.ts";
import { writeMetrics } from "../../../src/updater/pass/measure.ts";
import { runningFile } from "../../../src/updater/unit/running-file.ts";
import { askBinary } from "../../../src/updater/unit/version-command.ts";

const [point = "", ...paths] = process.argv.slice(2);
const device = openSync("/dev/fuse", "r+");
const options = "fd=3,rootmode=40000,user_id=1000,group_id=1000,allow_other";
execFileSync("mount", ["-i", "-t", "fuse.silent", "-o", options, "silent", point], {
  stdio: ["ignore", "ignore", "inherit", device],
});
const looked = await Promise.all(
  paths.map(async (path) => ({
    reached: reach(path, "follow", () => ({ kind: "reached" })).kind,
    read: readForeignFile(path, { capBytes: 100, links: "follow" }),
    looked: lookAt(path).kind,
    certificate: await faultOf(() => readCaFile(path)),
    metrics: await faultOf(() => writeMetrics(`${path}/svc.prom`, "", "/")),
    binary: await faultOf(() => askBinary(says(""), [path])),
    running: await runningFile(says(`${path}\n`), 1, 0),
  })),
);
const named = reachIn(dirname(point), basename(point), () => ({ kind: "reached" })).kind;
process.stdout.write(JSON.stringify({ looked, named }));

type Run = Parameters<typeof askBinary>[0];

function says(stdout: string): Run {
  return () => Promise.resolve({ kind: "exited", status: 0, stdout, stderr: "" });
}

async function faultOf(look: () => unknown): Promise<string> {
  try {
    await look();
    return "none";
  } catch (thrown) {
    return asFault(thrown).code;
  }
}
