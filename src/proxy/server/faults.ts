import { faultTable, type FaultCode } from "../../rules/fault/table.ts";

/** How a command of svc-proxy can end, in the words of a server: the fault table tells the same codes for a host's updater. */
const words = {
  usage: "the command line cannot be understood",
  bug: "a fault of svc-proxy itself",
  "os-failed": "the operating system refused something, for example to listen on an address",
  "proxies-unread": "the environment file is one that reading could hang on, and no proxies were read before",
  "file-failed": "a file could not be read or written",
  "not-permitted": "the configuration or a private key may not be read by this user",
  "path-untrusted": "a link that another user could have put there leads the files of an export elsewhere",
  "settings-invalid": "the configuration, or a certificate that it names, is wrong; the message names each place",
  "proxy-invalid": "a proxy variable is not a usable proxy",
} as const satisfies Partial<Record<FaultCode, string>>;

export type ServerFault = { readonly exit: number; readonly meaning: string };

/** By code, in the order of their statuses. */
export const serverFaults: Readonly<Record<string, ServerFault>> = Object.fromEntries(
  Object.entries(words)
    .map(([code, meaning]) => [code, { exit: faultTable[code as keyof typeof words].exit, meaning }] as const)
    .toSorted(([, left], [, right]) => left.exit - right.exit),
);
