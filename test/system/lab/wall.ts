import type { Host } from "./host.ts";
import { mustRun } from "./program.ts";

export type Wall = {
  /** Packets that went to the one door, and packets to anywhere else, which were dropped. */
  readonly counted: () => Promise<{ readonly door: number; readonly elsewhere: number }>;
};

/**
 * Lets nothing out of a host but what goes to one port of its network's outer end. There is a way to everywhere and a name
 * server, neither of which answers: so that whoever tries them is counted and not merely told that there is no network.
 */
export async function buildWall(host: Host, port: number): Promise<Wall> {
  const inNamespace = ["nsenter", `--net=${host.network.namespacePath}`];
  const door = `ip daddr ${host.network.outerAddress} tcp dport ${port}`;
  const rules = `table inet wall {
  counter door { }
  counter elsewhere { }
  chain out {
    type filter hook output priority 0; policy accept;
    oifname "lo" accept
    meta l4proto ipv6-icmp accept
    ${door} counter name door accept
    counter name elsewhere drop
  }
}
`;
  await mustRun([...inNamespace, "nft", "-f", "-"], { input: rules });
  await mustRun([...inNamespace, "ip", "route", "add", "default", "dev", "eth0"]);
  await host.write("/etc/resolv.conf", "nameserver 192.0.2.53\noptions timeout:1 attempts:1\n");
  const packets = async (name: string): Promise<number> => {
    const told = await mustRun([...inNamespace, "nft", "list", "counter", "inet", "wall", name]);
    return Number(/packets (\d+)/.exec(told)?.[1] ?? Number.NaN);
  };
  return { counted: async () => ({ door: await packets("door"), elsewhere: await packets("elsewhere") }) };
}
