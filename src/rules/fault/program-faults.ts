import { clusterFaultTable } from "./cluster-table.ts";
import type { Program } from "./explain.ts";
import { objectFaultTable } from "./object-table.ts";
import { faultTable, type FaultCode } from "./table.ts";

export type ProgramFaults = Readonly<Record<string, { readonly exit: number; readonly meaning: string }>>;

/** The hosts' codes and statuses, in a program's own words. */
function inWords(words: Partial<Record<FaultCode, string>>): ProgramFaults {
  const rows = Object.entries(words).map(([code, meaning]) => [code, { exit: faultTable[code as FaultCode].exit, meaning }]);
  return Object.fromEntries(rows) as ProgramFaults;
}

const typedWrong = "the command line cannot be understood";
const ownBug = "a fault of the program itself";
const fileFailed = "a file could not be read or written";

const server = inWords({
  usage: typedWrong,
  bug: "a fault of svc-proxy itself",
  "os-failed": "the operating system refused something, for example to listen on an address",
  "file-failed": fileFailed,
  "proxies-unread": "the environment file is one that reading could hang on, and no proxies were read before",
  "not-permitted": "the configuration or a private key may not be read by this user",
  "path-untrusted": "a link that another user could have put there leads the files of an export elsewhere",
  "settings-invalid": "the configuration, or a certificate that it names, is wrong; the message names each place",
  "proxy-invalid": "a proxy variable is not a usable proxy",
});

/** Faults between a person and the cluster's proxy. */
const onTheWay = {
  "proxy-invalid": "HTTPS_PROXY in the environment is no usable proxy",
  "proxy-refused": "the HTTP CONNECT proxy on the way refuses the tunnel, or is no proxy",
  "proxy-unreachable": "the HTTP CONNECT proxy on the way cannot be reached, or cannot reach the cluster",
  "trust-store-missing": "no certificate store was found for https",
} satisfies Partial<Record<FaultCode, string>>;

const objectsToo: readonly FaultCode[] = [
  "usage",
  "answer-invalid",
  "redirect-refused",
  "channel-unknown",
  "channel-refused",
  "tls-untrusted",
  "proxy-refused",
  "no-way-back",
  "os-failed",
  "file-failed",
  "channel-unreachable",
  "channel-failing",
  "proxy-unreachable",
  "overtaken",
  "settings-invalid",
  "proxy-invalid",
  "trust-store-missing",
  "ca-file-unusable",
  "bug",
];

/** Every program's codes with their meaning there. svc-upgrade has all of `faultTable`. */
export const faultsOf: Readonly<Record<Exclude<Program, "svc-upgrade">, ProgramFaults>> = {
  "svc-proxy": server,
  "svc-kube-updater": {
    ...Object.fromEntries(objectsToo.map((code) => [code, faultTable[code]])),
    ...objectFaultTable,
    stopped: clusterFaultTable.stopped,
  },
  /** svc serves channels too, so it has the faults of svc-proxy. */
  svc: { ...server, ...inWords({ bug: ownBug }), ...clusterFaultTable },
  tctl: {
    ...inWords({
      usage: typedWrong,
      bug: ownBug,
      "file-failed": fileFailed,
      "path-untrusted": "another user could redirect what is written there",
      "not-permitted": "only root on the auth host, or the owner of a file, may do it",
      ...onTheWay,
    }),
    ...clusterFaultTable,
  },
  tsh: { ...inWords({ usage: typedWrong, bug: ownBug, "file-failed": fileFailed, ...onTheWay }), ...clusterFaultTable },
};
