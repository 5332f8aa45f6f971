/**
 * npm run bench:server [-- ROUNDS] measures how much svc-proxy serves on one processor, against a bare server of the same runtime with one fixed
 * answer and against nginx with a static file, how much two instances serve on two, and what a rollout costs a proxy of a cluster.
 */
import { load, together, type Client, type Loaded, type Server } from "./bench/serving/load.ts";
import { printRounds, type Round } from "./bench/serving/print.ts";
import { openStage } from "./bench/serving/stage.ts";
import { runScript } from "./script.ts";
import { firstTool } from "./tool.ts";

/** Each round asks all servers in turn. Ratios are computed within a round, because the machine's speed varies. */
const usualRounds = 9;
const onSecond: Client = { processor: "1", seconds: 3 };
const onFirst: Client = { ...onSecond, processor: "0" };

await runScript(async () => {
  const rounds = Number(process.argv[2] ?? usualRounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error("npm run bench:server -- ROUNDS, a whole number");
  firstTool(["wrk"], "it is the client; Debian has it as the package wrk");
  const stage = openStage();
  try {
    const servers: Servers = {
      bare: await stage.bare(),
      proxy: await stage.proxy({ processor: "0" }),
      other: await stage.proxy({ processor: "1" }),
      nginx: await stage.nginx(),
      cluster: await stage.cluster(),
    };
    // Does not count the first round, in which V8 has not compiled the code yet.
    await oneRound(servers);
    const all: Round[] = [];
    for (let round = 0; round < rounds; round += 1) all.push(await oneRound(servers));
    console.log(printRounds(all));
  } finally {
    await stage.close();
  }
});

type Servers = {
  readonly bare: Server;
  readonly proxy: Server;
  readonly other: Server;
  readonly nginx: Server | undefined;
  readonly cluster: { readonly plain: Server; readonly decided: Server };
};

async function oneRound({ bare, proxy, other, nginx, cluster }: Servers): Promise<Round> {
  return {
    bare: await load(bare, onSecond),
    proxy: await load(proxy, onSecond),
    nginx: nginx === undefined ? undefined : await load(nginx, onSecond),
    two: await both(proxy, other),
    plain: await load(cluster.plain, onSecond),
    decided: await load(cluster.decided, onSecond),
  };
}

/** Asks both servers at once. On two processors, each client shares a processor with the server that it does not ask. */
async function both(proxy: Server, other: Server): Promise<Loaded> {
  return together(await Promise.all([load(proxy, onSecond), load(other, onFirst)]));
}
