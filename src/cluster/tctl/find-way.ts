import { connect } from "node:net";
import { Fault } from "../../rules/fault/fault.ts";
import { errnoOf } from "../../machine/files/errno.ts";
import type { Profile } from "../session/profile.ts";
import { profileDirectory, readCurrent, readProfile } from "../session/profiles.ts";
import { askedProxy, printProxyAddress } from "../session/proxy-address.ts";
import { rootSocketIn, type Place } from "./place.ts";

/** As whom to ask auth. */
export type Way = { readonly kind: "root"; readonly socket: string } | { readonly kind: "person"; readonly profile: Profile };

export type Seeking = {
  readonly options: { readonly config: string | undefined; readonly proxy: string | undefined };
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly place: () => Promise<Place>;
  /** What --proxy means. "a link too": it may also be only the proxy that a link names. */
  readonly proxyIsFor: "the way" | "a link too";
};

/** Decides by the named configuration, otherwise root's socket if it answers, otherwise the session of `tsh login`. */
export async function findWay({ options, environment, place, proxyIsFor }: Seeking): Promise<Way> {
  const { config, proxy } = options;
  const socket = async (): Promise<string> => rootSocketIn((await place()).dataDirectory);
  if (config !== undefined && proxy !== undefined && proxyIsFor === "the way") {
    throw new Fault("usage", {
      message: "--config is for root on the auth host, --proxy for signed-in users: they exclude each other",
      hint: "leave one of them out",
    });
  }
  if (config !== undefined) return { kind: "root", socket: await socket() };
  const directory = profileDirectory(environment);
  if (proxy !== undefined) {
    const profile = readProfile(directory, askedProxy(proxy));
    if (profile !== undefined) return { kind: "person", profile };
    if (proxyIsFor === "a link too" && (await triedAt(await socket())) === undefined)
      return { kind: "root", socket: await socket() };
    throw noSession(printProxyAddress(askedProxy(proxy)));
  }
  const path = await socket();
  const errno = await triedAt(path);
  if (errno === undefined) return { kind: "root", socket: path };
  const profile = readCurrent(directory);
  if (profile !== undefined) return { kind: "person", profile };
  throw neither(path, errno);
}

/** Why no server answers at the socket; undefined if one does. */
function triedAt(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ path });
    socket.once("connect", () => {
      socket.destroy();
      resolve(undefined);
    });
    socket.once("error", (error) => resolve(errnoOf(error) ?? error.message));
  });
}

function noSession(proxy: string): Fault {
  return new Fault("not-signed-in", {
    message: `nobody has signed in here at ${proxy}`,
    hint: `\`tsh login --proxy=${proxy} --user=NAME\``,
  });
}

/** The fault if root's socket does not answer and nobody is signed in. Root can try again when auth runs. Everybody else has to sign in. */
function neither(path: string, errno: string): Fault {
  const why =
    errno === "EACCES" || errno === "EPERM"
      ? `only root may use ${path}`
      : errno === "ECONNREFUSED"
        ? `nobody answers at ${path}`
        : `there is no socket ${path}`;
  return new Fault(process.geteuid?.() === 0 ? "auth-unreachable" : "not-signed-in", {
    message: `no auth service is here for root (${why}), and nobody has signed in here with tsh`,
    hint: "on the auth host: `systemctl status svc`, and `sudo tctl …`; from elsewhere: `tsh login --proxy=HOST --user=NAME`",
  });
}

/** Refuses a signed-in person before anything is asked. */
export function refusePerson(way: Way, { what, typed }: { readonly what: string; readonly typed: string }): void {
  if (way.kind === "root") return;
  throw new Fault("access-denied", {
    message: `${what} is for root on the auth host alone, and you are asking as ${way.profile.user}; nothing was asked`,
    hint: `on the auth host: \`sudo ${typed}\``,
  });
}
