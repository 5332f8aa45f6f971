import { createHash } from "node:crypto";
import { access, mkdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mustRun } from "./program.ts";

/** Debian 11, 12 and 13: systemd 247, 252 and 257. */
export const suites = ["bullseye", "bookworm", "trixie"] as const;

/**
 * Debian 12 with real dnf, as RHEL has it, and with real zypper, and rpm's database instead of dpkg's.
 * Two roots, because Debian's dnf-plugins-core and zypper exclude each other.
 */
export const rpmSuites = ["yum", "zypper"] as const;

/** What Debian is going to be. It moves from day to day, so only who asks for it gets it: see next.ts. */
export const nextSuite = "sid" as const;

export type Suite = (typeof suites)[number] | (typeof rpmSuites)[number] | typeof nextSuite;

/** Which tools manage the packages of a host. */
export type Family = "apt" | "yum" | "zypper";

const packages = "systemd,systemd-sysv,dbus,ca-certificates,curl,iproute2,procps,gpgv,locales";
const script = join(import.meta.dirname, "build-base.sh");
const rpmHook = join(import.meta.dirname, "rpm-base.sh");

type Recipe = { readonly release: string; readonly packages: string; readonly hooks: readonly string[] };

/** The packages come over the network, and another run may be building the same base before us. */
const longestBuildMs = 600_000;

/** What is dear to make and safe to keep between runs: base roots, compiled agents. Outside the repository. */
export async function cacheDirectory(): Promise<string> {
  const directory = process.env["SVC_UPGRADE_LAB_CACHE"] ?? join(tmpdir(), "svc-upgrade-lab-cache");
  await mkdir(directory, { recursive: true });
  return directory;
}

/** A read-only root of that suite, built on first use. Hosts lay an overlay over it and never write to it. */
export async function baseRoot(suite: Suite, besides: readonly string[] = []): Promise<string> {
  const { release, hooks, packages: usual } = recipeOf(suite);
  const wanted = [usual, ...besides].join(",");
  const hash = createHash("sha256").update(wanted);
  for (const file of [script, ...hooks]) hash.update(await readFile(file));
  const target = join(await cacheDirectory(), `${suite}-${hash.digest("hex").slice(0, 12)}`);
  if (!(await isThere(target))) {
    await mustRun([script, target, release, wanted, ...hooks], { timeoutMs: longestBuildMs });
  }
  return target;
}

export function familyOf(suite: Suite): Family {
  return suite === "yum" || suite === "zypper" ? suite : "apt";
}

function recipeOf(suite: Suite): Recipe {
  switch (suite) {
    case "yum":
      return { release: "bookworm", packages: `${packages},dnf,dnf-plugins-core,rpm,gnupg`, hooks: [rpmHook] };
    case "zypper":
      return { release: "bookworm", packages: `${packages},zypper,rpm,gnupg`, hooks: [rpmHook] };
    case "bullseye":
    case "bookworm":
    case "trixie":
    case "sid":
      return { release: suite, packages, hooks: [] };
  }
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
