import { asFault } from "../../rules/fault/explain.ts";
import { Fault } from "../../rules/fault/fault.ts";
import type { Log } from "../../machine/logging/log.ts";
import { belowRoot, type AgentPaths, type Paths } from "../../machine/files/paths.ts";
import { readEnvironmentFile } from "../../machine/network/environment-file.ts";
import { usualEnvironmentFile } from "../../rules/route/proxy.ts";
import { proxyVariablesIn, type ProxyVariables } from "../../rules/route/route.ts";
import { readFileCapped } from "../../machine/files/read-file.ts";
import { writeFileAtomically } from "../../machine/files/write-file.ts";
import { decodeProxies, encodeProxies } from "../record/proxies.ts";

const pairs = [
  ["HTTPS_PROXY", "https_proxy"],
  ["HTTP_PROXY", "http_proxy"],
  ["NO_PROXY", "no_proxy"],
] as const;

type Name = Exclude<keyof ProxyVariables, "setIn">;

export type ProxyPlaces = {
  readonly paths: Pick<Paths, "root" | "passProxies">;
  readonly agentPaths: Pick<AgentPaths, "environment">;
};

export type KnownProxies =
  | { readonly kind: "read"; readonly proxies: ProxyVariables }
  | { readonly kind: "last"; readonly proxies: ProxyVariables; readonly why: string }
  | { readonly kind: "unknown"; readonly isDenied: boolean; readonly why: string };

/**
 * The proxy variables of the unit with this environment file. If the file cannot be read at once, the last known ones count: a user who blocks the
 * file must not send the host another way.
 */
export function knownProxies({ paths, agentPaths: { environment: file } }: ProxyPlaces, last: string): KnownProxies {
  const reading = readEnvironmentFile(file);
  const setIn = file === belowRoot(paths.root, usualEnvironmentFile) ? undefined : file;
  if (reading.kind === "read") return { kind: "read", proxies: setInFile(proxyVariablesIn(reading.variables), setIn) };
  if (reading.kind === "missing") return { kind: "read", proxies: setInFile({}, setIn) };
  const isDenied = reading.kind === "denied";
  const why = isDenied ? "this user may not read it" : reading.why;
  const proxies = readLastProxies(last);
  // Proxies kept from another file say nothing about this one.
  const isOfThis = proxies !== undefined && proxies.setIn === setIn;
  return isOfThis ? { kind: "last", proxies, why } : { kind: "unknown", isDenied, why };
}

function setInFile(proxies: ProxyVariables, setIn: string | undefined): ProxyVariables {
  return setIn === undefined ? proxies : { ...proxies, setIn };
}

/** The variables for a pass, which keeps them for the next pass. */
export function proxiesToGoBy(places: ProxyPlaces, last: string, log: Log): ProxyVariables {
  const known = knownProxies(places, last);
  const { environment: path } = places.agentPaths;
  if (known.kind === "unknown") throw proxiesUnread(places.agentPaths, known.why);
  if (known.kind === "last") log("warning", lastCount, { path, why: known.why });
  else leave(known.proxies, last, { root: places.paths.root, log });
  return known.proxies;
}

/** The variables for commands that only look. They use none rather than fail. */
export function proxiesToSee(places: ProxyPlaces, log: Log): ProxyVariables {
  const known = knownProxies(places, places.paths.passProxies);
  const { environment: path } = places.agentPaths;
  switch (known.kind) {
    case "read":
      return known.proxies;
    case "last":
      log("warning", lastCount, { path, why: known.why });
      return known.proxies;
    case "unknown":
      if (known.isDenied) log("warning", "proxies may be set in a file that this user may not read", { path });
      else log("warning", "the agent's environment file is not used", { path, why: known.why });
      return {};
  }
}

export const lastCount = "the agent's environment file cannot be read; the proxies that it last held count";

export function proxiesUnread({ environment }: ProxyPlaces["agentPaths"], why: string): Fault {
  return new Fault("proxies-unread", {
    message: `${environment} cannot be read, and which proxies it last held is not known: ${why}`,
    hint: "put a regular file in its place, or none where no proxy is needed; nothing is asked past a proxy that may be set there",
  });
}

/** Stores the variables. Only warns if that fails, because the environment file itself was read. */
function leave(proxies: ProxyVariables, last: string, { root, log }: { readonly root: string; readonly log: Log }): void {
  try {
    keepLastProxies(last, proxies, root);
  } catch (thrown) {
    log("warning", "the proxies could not be noted, for the day when their file cannot be read", {
      why: asFault(thrown).message,
    });
  }
}

/** Lays the process's own variables over the file's, for a process that systemd did not start. */
export function layProxies(inFile: ProxyVariables, own: ProxyVariables): ProxyVariables {
  const kept = Object.entries(inFile).filter(([name]) => !isOverridden(name, own));
  return { ...Object.fromEntries(kept), ...own };
}

/** Whether a variable of the shell replaces the file's, whichever is in upper or lower case. */
export function isOverridden(name: string, own: ProxyVariables): boolean {
  return pairs.some(
    (pair) => pair.some((spelling) => spelling === name) && pair.some((spelling: Name) => own[spelling] !== undefined),
  );
}

/** As long as the file that they come from, with each character written as six. */
const capBytes: number = 512 * 1024;

/** The proxies as last read; undefined if nothing was kept, or if this user may not read it. */
function readLastProxies(path: string): ProxyVariables | undefined {
  const reading = readFileCapped(path, { capBytes, links: "refuse" });
  const decoded = reading.kind === "read" ? decodeProxies(reading.text) : undefined;
  return decoded?.kind === "read" ? decoded.value : undefined;
}

/** Writes only a change. Only root can read the file, because proxies may contain passwords. */
function keepLastProxies(path: string, proxies: ProxyVariables, root: string): void {
  const reading = readFileCapped(path, { capBytes, links: "refuse" });
  const text = encodeProxies(proxies);
  if (reading.kind === "read" && reading.text === text && reading.mode === mode) return;
  writeFileAtomically(path, text, { root, mode, fault: "file-failed" });
}

const mode = 0o600;
