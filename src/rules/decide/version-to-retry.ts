import { Fault } from "../fault/fault.ts";
import { parseVersion, type Version } from "../version/version.ts";

type Program = "svc-upgrade" | "svc-kube-updater";

export function versionTyped(text: string, program: Program): Version {
  const version = parseVersion(text);
  if (version !== undefined) return version;
  throw new Fault("usage", {
    message: `"${text}" is not a version`,
    hint: `write it whole, as \`${program} status\` shows it: \`${program} retry 15.4.6\``,
  });
}

/** Refuses a version that is not rejected: a person with a typing mistake must not think that the right one was cleared. */
export function rejectedIn(rejected: readonly Version[], version: Version, program: Program): Version {
  const versions = [...new Set(rejected)];
  if (versions.includes(version)) return version;
  const where = program === "svc-upgrade" ? "this host" : "the object";
  throw new Fault("usage", {
    message: `${version} is not rejected here; ${versions.length === 0 ? "no version is" : `rejected: ${versions.join(", ")}`}`,
    hint: versions.length === 0 ? `see what holds ${where} back: \`${program} status\`` : `\`${program} retry ${versions[0]}\``,
  });
}
