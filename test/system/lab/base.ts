import { createHash } from "node:crypto";
import { access, mkdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mustRun } from "./program.ts";

/** Debian 11, 12 and 13: systemd 247, 252 and 257. */
export const suites = ["bullseye", "bookworm", "trixie"] as const;
export type Suite = (typeof suites)[number];

const packages = "systemd,systemd-sysv,dbus,ca-certificates,curl,iproute2,procps,gpgv";
const script = join(import.meta.dirname, "build-base.sh");

/** The packages come over the network, and another run may be building the same base before us. */
const longestBuildMs = 600_000;

/** What is dear to make and safe to keep between runs: base roots, compiled agents. Outside the repository. */
export async function cacheDirectory(): Promise<string> {
  const directory = process.env["SVC_UPGRADE_LAB_CACHE"] ?? join(tmpdir(), "svc-upgrade-lab-cache");
  await mkdir(directory, { recursive: true });
  return directory;
}

/** A read-only root of that suite, built on first use. Hosts lay an overlay over it and never write to it. */
export async function baseRoot(suite: Suite): Promise<string> {
  const recipe = createHash("sha256")
    .update(packages)
    .update(await readFile(script));
  const target = join(await cacheDirectory(), `${suite}-${recipe.digest("hex").slice(0, 12)}`);
  if (!(await isThere(target))) await mustRun([script, suite, packages, target], { timeoutMs: longestBuildMs });
  return target;
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
