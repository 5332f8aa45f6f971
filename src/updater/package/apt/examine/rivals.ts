import { existsSync } from "node:fs";
import { belowRoot } from "../../../../machine/files/paths.ts";
import { readText, type ReadLimits } from "../../../../machine/files/read-file.ts";
import type { PackageName } from "../../../../rules/settings/settings.ts";
import { configArgv, releasesArgv } from "../argv.ts";
import { askPolicy } from "../ask-policy.ts";
import type { AptCalls } from "../calls.ts";
import type { IsActive, Rival } from "../../manager/examiner.ts";
import { parseOptions } from "./config.ts";
import { parseReleases } from "./releases.ts";
import { patternThatMoves, type Distribution } from "./unattended.ts";
import { namesIn } from "../../../../machine/files/names-in.ts";

const unattendedProgram = "/usr/bin/unattended-upgrade";
const dailyTimer = "apt-daily-upgrade.timer";
const exclusionFile = "/etc/apt/apt.conf.d/52svc-upgrade";

type OnHost = Pick<AptCalls, "ask" | "root"> & { readonly isActive: IsActive };

/** Finds Debian's programs that upgrade packages by themselves, and would move this one. */
export async function rivals(host: OnHost, name: PackageName): Promise<readonly Rival[]> {
  return [...(await unattendedUpgrades(host, name)), ...installingActions(host.root).map(asRival)];
}

async function unattendedUpgrades({ ask, root, isActive }: OnHost, name: PackageName): Promise<readonly Rival[]> {
  // Every Debian has the timer, but without the program it only refreshes the lists.
  if (!existsSync(belowRoot(root, unattendedProgram)) || !(await isActive(dailyTimer))) return [];
  const options = parseOptions((await ask(configArgv())).stdout);
  const lists = new Set((await askPolicy({ ask }, name)).known.flatMap((known) => known.lists));
  const releases = parseReleases((await ask(releasesArgv())).stdout).filter(({ list }) => lists.has(list));
  const pattern = patternThatMoves(name, { options, releases, distribution: distribution(root) });
  if (pattern === undefined) return [];
  return [
    {
      told: `unattended-upgrades moves ${name} too, whatever the window says: its pattern "${pattern}" names the repository`,
      fix: `echo 'Unattended-Upgrade::Package-Blacklist { "^${literal(name)}$"; };' | sudo tee ${exclusionFile}`,
    },
  ];
}

function asRival(action: string): Rival {
  return {
    told: `cron-apt installs whatever is newer: ${action}`,
    fix: `sudo sed -i 's/upgrade/upgrade --download-only/' ${action}`,
  };
}

/** A regular expression that matches only this name. Uses no backslash, which apt's quoting would damage. */
function literal(name: PackageName): string {
  return name.replace(/[.+]/g, "[$&]");
}

const releaseFile = "/etc/os-release";

function distribution(root: string): Distribution {
  const text = readText(belowRoot(root, releaseFile), small) ?? "";
  const field = (key: string): string => new RegExp(`^${key}="?([^"\n]*)"?$`, "m").exec(text)?.[1] ?? "";
  const id = field("ID");
  // Spelt as lsb_release does: Debian, Ubuntu.
  return { id: `${id.slice(0, 1).toUpperCase()}${id.slice(1)}`, codename: field("VERSION_CODENAME") };
}

const job = "/etc/cron.d/cron-apt";
const actions = "/etc/cron-apt/action.d";
/** Enough for a file that people write by hand. */
const small: ReadLimits = { capBytes: 64 * 1024, links: "follow" };

/** The actions of cron-apt that install packages. As shipped, cron-apt only downloads. */
export function installingActions(root: string): readonly string[] {
  if (!existsSync(belowRoot(root, job))) return [];
  return namesIn(belowRoot(root, actions))
    .toSorted()
    .map((name) => belowRoot(root, `${actions}/${name}`))
    .filter((path) => readText(path, small)?.split("\n").some(installs) === true);
}

function installs(line: string): boolean {
  const words = line.split(/\s+/);
  const isUpgrade = words.some((word) => /^(?:dist-|full-)?upgrade$/.test(word));
  const isOnlyLooking = words.some((word) => /^(?:-d|--download-only|-s|--simulate|--dry-run)$/.test(word));
  return isUpgrade && !isOnlyLooking && !line.startsWith("#");
}
