import { Fault } from "../../rules/fault/fault.ts";
import { askedProxy } from "../session/proxy-address.ts";
import type { Profile } from "../session/profile.ts";
import { profileDirectory, readCurrent, readProfile, type ProfileDirectory } from "../session/profiles.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { TshSurroundings } from "./surroundings.ts";

export type TshContext = {
  readonly surroundings: TshSurroundings;
  readonly environment: TshSurroundings["environment"];
  readonly now: () => UnixSeconds;
  readonly profiles: ProfileDirectory;
};

export function contextFor(surroundings: TshSurroundings): TshContext {
  const { environment } = surroundings;
  return { surroundings, environment, now: () => Math.floor(Date.now() / 1000), profiles: profileDirectory(environment) };
}

/** The profile for the named proxy, or for the current one. */
export function profileFor({ profiles }: TshContext, proxy: string | undefined): Profile | undefined {
  return proxy === undefined ? readCurrent(profiles) : readProfile(profiles, askedProxy(proxy));
}

export function notSignedIn(proxy: string | undefined): Fault {
  return new Fault("not-signed-in", {
    message: proxy === undefined ? "nobody has signed in here" : `nobody has signed in here at ${proxy}`,
    hint: `\`tsh login --proxy=${proxy ?? "HOST"} --user=NAME\``,
  });
}
