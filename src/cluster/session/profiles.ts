import { readdirSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { shellWord } from "../../rules/text/shell-word.ts";
import { printHostPort, type HostPort } from "../../rules/route/host-port.ts";
import { isOwnDirectory, readOwn, requireWritable, writeOwn } from "./own-file.ts";
import { parseProfile, printProfile, type Profile } from "./profile.ts";
import { parseProxyAddress } from "./proxy-address.ts";

/** `~/.svc`, with a file for each proxy, and a file that names the current one. */
export type ProfileDirectory = string;

export function profileDirectory(environment: Readonly<Record<string, string | undefined>>): ProfileDirectory {
  const home = environment["HOME"];
  return join(home === undefined || home === "" ? homedir() : home, ".svc");
}

/** The profile for this proxy; undefined if nobody has signed in there. */
export function readProfile(directory: ProfileDirectory, proxy: HostPort): Profile | undefined {
  const path = fileOf(directory, proxy);
  const text = readOwn(path);
  if (text === undefined) return undefined;
  const profile = parseProfile(text);
  if (profile !== undefined && isSame(profile.proxy, proxy)) return profile;
  throw new Fault("profile-unusable", {
    message: `${quote(path, 200)} holds no session that this release can read`,
    hint: `take it away and sign in again: \`rm ${shellWord(path)}\``,
  });
}

/** The profile for the proxy of the last sign-in; undefined without one. */
export function readCurrent(directory: ProfileDirectory): Profile | undefined {
  const proxy = parseProxyAddress(readOwn(join(directory, currentName))?.trim() ?? "");
  return proxy === undefined ? undefined : readProfile(directory, proxy);
}

/** Checks that a profile can be stored, before work begins that needs one. */
export function requireRoom(directory: ProfileDirectory): void {
  requireWritable(directory);
}

/** Stores the profile and makes it the current one. */
export function keepProfile(directory: ProfileDirectory, profile: Profile): void {
  // Removes the keys for shells: their certificates belong to the user who was signed in before.
  rmSync(join(directory, sshName), { recursive: true, force: true });
  writeOwn(fileOf(directory, profile.proxy), printProfile(profile));
  writeOwn(join(directory, currentName), `${printHostPort(profile.proxy)}\n`);
}

/** Removes the profile, the keys for shells, and what interrupted programs left. */
export function removeProfile(directory: ProfileDirectory, proxy: HostPort): void {
  if (!isOwnDirectory(directory)) return;
  const name = nameOf(proxy);
  const current = parseProxyAddress(readOwn(join(directory, currentName))?.trim() ?? "");
  if (current !== undefined && isSame(current, proxy)) rmSync(join(directory, currentName), { force: true });
  for (const found of readdirSync(directory)) {
    if (found === sshName || found.startsWith(`${sshName}-`)) rmSync(join(directory, found), { recursive: true, force: true });
    if (found === name || (found.startsWith(`.${name}.`) && found.endsWith(".tmp")))
      rmSync(join(directory, found), { force: true });
  }
}

const currentName = "current";
/** The directory with the keys for the lines of `tsh config`. Each `tsh ssh` has its own, with this name and a hyphen. */
const sshName = "ssh";

function fileOf(directory: ProfileDirectory, proxy: HostPort): string {
  return join(directory, nameOf(proxy));
}

function nameOf({ host, port }: HostPort): string {
  return `${host}_${port}.json`;
}

function isSame(left: HostPort, right: HostPort): boolean {
  return left.host === right.host && left.port === right.port;
}
