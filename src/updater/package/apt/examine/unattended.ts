import type { PackageName } from "../../../../rules/settings/settings.ts";
import { listOf, optionOf, type AptOptions } from "./config.ts";
import type { Release } from "./releases.ts";
import { globPattern } from "../../configuration/glob.ts";

/** The host's distribution from /etc/os-release. */
export type Distribution = { readonly id: string; readonly codename: string };

/**
 * The pattern by which unattended-upgrades would move the package, by that program's own rules: it matches a repository that offers the package, and
 * nothing excludes the package. `releases` are the repositories that offer it. Undefined if the program would not move it.
 */
export function patternThatMoves(
  name: PackageName,
  { options, releases, distribution }: { options: AptOptions; releases: readonly Release[]; distribution: Distribution },
): string | undefined {
  if (!isPeriodic(options) || isExcluded(name, options)) return undefined;
  const patterns = [
    ...listOf(options, "Unattended-Upgrade::Allowed-Origins").map(fromLegacy),
    ...listOf(options, "Unattended-Upgrade::Origins-Pattern"),
  ].map((pattern) => substituted(pattern, distribution));
  return patterns.find((pattern) => releases.some((release) => matches(pattern, release)));
}

/** Whether apt's daily job runs. It never does with an interval of 0, or without one. */
function isPeriodic(options: AptOptions): boolean {
  const interval = optionOf(options, "APT::Periodic::Unattended-Upgrade") ?? "0";
  return interval !== "" && interval !== "0" && optionOf(options, "APT::Periodic::Enable") !== "0";
}

function isExcluded(name: PackageName, options: AptOptions): boolean {
  if (listOf(options, "Unattended-Upgrade::Package-Blacklist").some((pattern) => beginsLike(pattern, name))) return true;
  const only = listOf(options, "Unattended-Upgrade::Package-Whitelist");
  return only.length > 0 && !only.some((pattern) => beginsLike(pattern, name));
}

/** Whether a pattern matches. The program's lists are Python regular expressions that match from the first character. */
function beginsLike(pattern: string, name: PackageName): boolean {
  try {
    return new RegExp(`^(?:${pattern})`).test(name);
  } catch {
    // An invalid pattern excludes nothing. It may be invalid in Python too.
    return false;
  }
}

/** Turns `Debian:stable` or `Debian stable` into origin and suite. */
function fromLegacy(entry: string): string {
  const [origin = "", suite = ""] = entry.includes(":") ? entry.split(":") : entry.split(/\s+/);
  return `o=${origin},a=${suite}`;
}

function substituted(pattern: string, { id, codename }: Distribution): string {
  return pattern.replaceAll("${distro_id}", id).replaceAll("${distro_codename}", codename);
}

const fieldOf: Readonly<Record<string, string>> = {
  origin: "o",
  label: "l",
  suite: "a",
  archive: "a",
  codename: "n",
  component: "c",
};

function matches(pattern: string, release: Release): boolean {
  return pattern.split(/(?<!\\),/).every((token) => {
    const [what = "", value = ""] = token.split("=").map((part) => part.trim().replaceAll("\\,", ","));
    const found = what === "site" ? release.site : (release.fields[fieldOf[what] ?? what] ?? "");
    return new RegExp(`^${globPattern(value, "with sets")}$`, "s").test(found);
  });
}
