import { mustRun, runProgram } from "./program.ts";

/**
 * "closed": a pair of interfaces and no default route, so that only what stands on the outer end is reachable.
 * "none": not even that.
 */
export type NetworkKind = "closed" | "none";

export type HostNetwork = {
  readonly namespacePath: string;
  /** Where servers for this host listen. Never reachable from another host. */
  readonly outerAddress: string;
  readonly innerAddress: string;
  /** Takes the cable out, or puts it back. */
  readonly cable: (state: "out" | "in") => Promise<void>;
};

export async function makeNetwork(number: number, kind: NetworkKind): Promise<HostNetwork> {
  const namespace = namespaceOf(number);
  const outer = interfaceOf(number);
  const block = `10.213.${number >> 6}.`;
  const first = (number & 63) * 4;
  const [outerAddress, innerAddress] = [`${block}${first + 1}`, `${block}${first + 2}`];
  // The number is ours: what still bears it is a leftover.
  await removeNetwork(number);
  await mustRun(["ip", "netns", "add", namespace]);
  await mustRun(["ip", "-netns", namespace, "link", "set", "lo", "up"]);
  if (kind === "closed") {
    await mustRun(["ip", "link", "add", outer, "type", "veth", "peer", "name", "eth0", "netns", namespace]);
    await mustRun(["ip", "address", "add", `${outerAddress}/30`, "dev", outer]);
    await mustRun(["ip", "link", "set", outer, "up"]);
    await mustRun(["ip", "-netns", namespace, "address", "add", `${innerAddress}/30`, "dev", "eth0"]);
    await mustRun(["ip", "-netns", namespace, "link", "set", "eth0", "up"]);
  }
  return {
    namespacePath: `/run/netns/${namespace}`,
    outerAddress,
    innerAddress,
    cable: async (state) => {
      // The outer end stays up: taking it down would also close the listening servers' address.
      await mustRun(["ip", "-netns", namespace, "link", "set", "eth0", state === "in" ? "up" : "down"]);
    },
  };
}

/** Takes away what is there, in whatever state a crash left it. */
export async function removeNetwork(number: number): Promise<void> {
  await runProgram(["ip", "link", "delete", interfaceOf(number)]);
  await runProgram(["ip", "netns", "delete", namespaceOf(number)]);
}

function namespaceOf(number: number): string {
  return `svc-upgrade-lab-${number}`;
}

/** The kernel allows fifteen characters. */
function interfaceOf(number: number): string {
  return `svclab${number}`;
}
