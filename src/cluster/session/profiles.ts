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

/** `~/.svc`: a file for each proxy, and one that names which is in use. */
export type ProfileDirectory = string;

export function profileDirectory(environment: Readonly<Record<string, string | undefined>>): ProfileDirectory {
  const home = environment["HOME"];
  return join(home === undefined || home === "" ? homedir() : home, ".svc");
}

/** Undefined: nobody has signed in there. */
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

/** Of the proxy that was signed in to last; undefined: none. */
export function readCurrent(directory: ProfileDirectory): Profile | undefined {
  const proxy = parseProxyAddress(readOwn(join(directory, currentName))?.trim() ?? "");
  return proxy === undefined ? undefined : readProfile(directory, proxy);
}

/** Before anything is begun that a profile is to keep. */
export function requireRoom(directory: ProfileDirectory): void {
  requireWritable(directory);
}

/** And it is the one in use from now on. */
export function keepProfile(directory: ProfileDirectory, profile: Profile): void {
  writeOwn(fileOf(directory, profile.proxy), printProfile(profile));
  writeOwn(join(directory, currentName), `${printHostPort(profile.proxy)}\n`);
}

/** With whatever a write that was cut short has left of it. */
export function removeProfile(directory: ProfileDirectory, proxy: HostPort): void {
  if (!isOwnDirectory(directory)) return;
  const name = nameOf(proxy);
  const current = parseProxyAddress(readOwn(join(directory, currentName))?.trim() ?? "");
  if (current !== undefined && isSame(current, proxy)) rmSync(join(directory, currentName), { force: true });
  for (const found of readdirSync(directory)) {
    if (found === name || (found.startsWith(`.${name}.`) && found.endsWith(".tmp")))
      rmSync(join(directory, found), { force: true });
  }
}

const currentName = "current";

function fileOf(directory: ProfileDirectory, proxy: HostPort): string {
  return join(directory, nameOf(proxy));
}

function nameOf({ host, port }: HostPort): string {
  return `${host}_${port}.json`;
}

function isSame(left: HostPort, right: HostPort): boolean {
  return left.host === right.host && left.port === right.port;
}
