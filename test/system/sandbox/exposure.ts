import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Host } from "../lab/host.ts";

export type Exposure = {
  /** As systemd-analyze counts it, of 10. */
  readonly level: number;
  readonly left: readonly string[];
  /** What the unit's own comments say nothing of. */
  readonly unexplained: readonly string[];
};

/** What an installed unit is exposed to. `explainedIn`: the file with the comments on it, the unit's own unless another one is named. */
export async function exposureOf(host: Host, unit: string, explainedIn: string = unit): Promise<Exposure> {
  const told = await host.mustRun(["systemd-analyze", "security", "--no-pager", unit]);
  const left = [...told.matchAll(/^✗ (\S+)/gm)].map(([, name = ""]) => name);
  const comments = await explanations(explainedIn);
  return {
    level: Number(/exposure level for \S+: ([\d.]+)/.exec(told)?.[1]),
    left,
    unexplained: left.filter((name) => explained[name]?.test(comments) !== true),
  };
}

/** By the name that systemd-analyze has for it: the words with which a comment explains it. */
const explained: Readonly<Record<string, RegExp>> = {
  "RootDirectory=/RootImage=": /Exposure: the host's own root directory/,
  "User=/DynamicUser=": /Exposure: uid 0/,
  "PrivateUsers=": /Exposure: (?:uid 0|one capability), .*in the host's user namespace/,
  "CapabilityBoundingSet=~CAP_(DAC_*|FOWNER|IPC_OWNER)": /Exposure: one capability/,
  "CapabilityBoundingSet=~CAP_NET_(BIND_SERVICE|BROADCAST|RAW)": /Exposure: one capability, .*for port 443/,
  "SystemCallFilter=~@privileged": /Exposure: by this call/,
  "AmbientCapabilities=": /Exposure: one capability, ambient/,
  "NotifyAccess=": /Exposure: child processes/,
  "MemoryDenyWriteExecute=": /Exposure: the runtime compiles/,
  "RestrictAddressFamilies=~AF_UNIX": /Exposure: local sockets|And local sockets/,
  "RestrictAddressFamilies=~AF_(INET|INET6)": /Exposure: the host's network, .* IPv4 and IPv6/,
  "PrivateNetwork=": /Exposure: the host's network/,
  "IPAddressDeny=": /Exposure: the host's network, any address/,
  "ProcSubset=": /Exposure: all of \/proc/,
  "DeviceAllow=": /Exposure: this allows the hardware clock/,
  "UMask=": /Exposure: .* new files are not private/,
};

async function explanations(name: string): Promise<string> {
  const text = await readFile(join(import.meta.dirname, "../../../systemd", name), "utf8");
  return text.replace(/^[^#\n].*$/gm, "").replaceAll("\n# ", " ");
}
