// Plays many hosts in one process, each with its tunnel. Joins them, and prints a host's Server ID whenever its tunnel opens.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { wait } from "../../../src/cluster/svc/wait.ts";
import { keepTunnels } from "../../../src/cluster/tunnel/dial.ts";
import type { HostPort } from "../../../src/rules/route/host-port.ts";
import { directly, joinedNode, type Joining } from "../cluster/identities.ts";

export type TunnelsGiven = Joining & {
  readonly port: number;
  readonly hosts: number;
  readonly proxy: HostPort;
  readonly sshd: HostPort;
};

const joiningAtOnce = 8;

const given = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as TunnelsGiven;
const stopping = new AbortController().signal;

await Promise.all(
  Array.from({ length: joiningAtOnce }, async (_, first) => {
    for (let host = first; host < given.hosts; host += joiningAtOnce) await joinOne(host);
  }),
);

async function joinOne(host: number): Promise<void> {
  const folder = join(given.folder, `host-${host}`);
  mkdirSync(folder, { mode: 0o700 });
  const identity = await joinedNode(given.port, { ...given, folder });
  const tunnels = keepTunnels({
    identity: () => identity,
    ways: directly,
    sshd: given.sshd,
    log: (_level, sentence) => {
      if (sentence.startsWith("the tunnel to a proxy is open")) console.log(identity.stored.instance);
    },
    now: () => Math.floor(Date.now() / 1000),
    random: Math.random,
    wait,
    stopping,
  });
  tunnels.keep([given.proxy]);
}
