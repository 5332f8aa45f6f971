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

/** `~/.svc`: a file for each proxy, and a file that names the current one. */
export type ProfileDirectory = string;

export function profileDirectory(environment: Readonly<Record<string, string | undefined>>): ProfileDirectory {
  const home = environment["HOME"];
  return join(home === undefined || home === "" ? homedir() : home, ".svc");
}

/** Undefined if nobody has signed in there. */
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

/** The profile of the proxy of the last sign-in. Undefined without a sign-in. */
export function readCurrent(directory: ProfileDirectory): Profile | undefined {
  const proxy = parseProxyAddress(readOwn(join(directory, currentName))?.trim() ?? "");
  return proxy === undefined ? undefined : readProfile(directory, proxy);
}

/** Checks that a profile can be kept, before work begins that needs one. */
export function requireRoom(directory: ProfileDirectory): void {
  requireWritable(directory);
}

/** Stores the profile and makes it the current one. */
export function keepProfile(directory: ProfileDirectory, profile: Profile): void {
  // Their certificates are the user's before.
  rmSync(join(directory, sshName), { recursive: true, force: true });
  writeOwn(fileOf(directory, profile.proxy), printProfile(profile));
  writeOwn(join(directory, currentName), `${printHostPort(profile.proxy)}\n`);
}

/** Removes the profile, the keys for shells, and the remains of interrupted programs. */
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
/** Holds keys for the lines of `tsh config`. Each `tsh ssh` has a directory of its own, with a hyphen behind this name. */
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
