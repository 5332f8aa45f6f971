import { errnoOf, errnoWords } from "../files/errno.ts";
import { printHostPort, type HostPort } from "../../rules/route/host-port.ts";

type Wanted = {
  readonly at: HostPort;
  /** The setting's name. */
  readonly setting: string;
  readonly unit: string;
};

/** Explains why a server cannot listen at an address. */
export function whyNotListening(
  error: Error,
  { at, setting, unit }: Wanted,
): { readonly message: string; readonly hint: string; readonly cause: Error } {
  const hints: Readonly<Record<string, string>> = {
    EADDRINUSE: `\`ss -ltnp sport = :${at.port}\` shows who listens there; or choose another ${setting}`,
    EACCES: `ports below 1024 need CAP_NET_BIND_SERVICE, which ${unit} has; or choose a higher port for ${setting}`,
    EADDRNOTAVAIL: `this host has no such address, \`ip address\` shows which it has; correct ${setting}`,
    ENOTFOUND: `no name server knows that name; correct ${setting}`,
  };
  return {
    message: `cannot listen on ${printHostPort(at)} (${setting}): ${errnoWords(error)}`,
    hint: hints[errnoOf(error) ?? ""] ?? `correct ${setting}`,
    cause: error,
  };
}
