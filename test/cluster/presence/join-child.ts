import { parsePin } from "../../../src/cluster/identity/pin.ts";
import { readClock } from "../../../src/machine/clocks/read-clock.ts";
import { joinCluster } from "../../../src/cluster/presence/join-cluster.ts";
import { readJoinToken } from "../../../src/cluster/presence/join-token.ts";
import { directWays } from "./ways.ts";

type Asked = { readonly port: number; readonly pin: string; readonly tokenFile: string; readonly dataDirectory: string };

/** Joins, in a process that may be killed. */
const asked = JSON.parse(process.argv[2] ?? "") as Asked;
await joinCluster(
  {
    authServers: [{ host: "127.0.0.1", port: asked.port }],
    pins: [parsePin(asked.pin)!],
    token: () => readJoinToken(asked.tokenFile),
    existing: "keep",
  },
  {
    place: { dataDirectory: asked.dataDirectory, kind: "proxy" },
    about: { hostname: "proxy1", services: ["proxy"], version: "15.4.5" },
    ways: directWays,
    clock: () => readClock(),
    random: Math.random,
    wait: () => Promise.resolve(),
    stopping: new AbortController().signal,
  },
);
