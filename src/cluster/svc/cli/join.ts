import { encode } from "../../../rules/shape/write.ts";
import { hostname } from "node:os";
import { kindOf } from "../../services/services.ts";
import { quote } from "../../../rules/text/quote.ts";
import { build } from "../../../machine/program/program-build.ts";
import type { Given } from "../../../machine/command-line/row.ts";
import { readClock } from "../../../machine/clocks/read-clock.ts";
import { shellWord } from "../../../rules/text/shell-word.ts";
import { readAuthServers, readPins } from "../../presence/asked.ts";
import { joinCluster, type Joined, type Joining } from "../../presence/join-cluster.ts";
import { readJoinToken } from "../../presence/join-token.ts";
import { always, answer, line, list, told } from "../../../rules/shape/answer.ts";
import { truth } from "../../../rules/shape/shape.ts";
import { printInstant } from "../../../rules/window/instant.ts";
import { makeDataDirectory } from "../data-directory.ts";
import { wait } from "../wait.ts";
import { proxiesFor, waysBy } from "../routes-by-environment.ts";
import type { Options, ServerContext } from "../../../proxy/server/cli/called.ts";
import { loadFor } from "./context.ts";

export const joinAnswer = answer<Joined>("What this host is in its cluster.")({
  is_new: always("false: it had joined before, and no token was used", truth, ({ kind }) => kind === "joined"),
  cluster: always("the name of the cluster", line, ({ identity }) => identity.stored.cluster.name),
  cluster_id: always("its id", line, ({ identity }) => identity.stored.cluster.id),
  kind: always("what this host is in it", line, ({ identity }) => identity.stored.kind),
  instance: always("its own id", line, ({ identity }) => identity.stored.instance),
  auth_servers: always("where auth is reached", list(told("HOST:PORT", line)), ({ identity }) => identity.stored.authServers),
  until: always("how long its certificate is good; it is renewed before", line, ({ identity }) =>
    printInstant(identity.peer.until),
  ),
});

/** Root may call this too, because the new files get the owner of their directory. */
export async function join(options: Options, given: Given, { surroundings, log }: ServerContext): Promise<number> {
  const { environment, stopping, out } = surroundings;
  const authServers = readAuthServers(given.text("authServer") ?? "");
  const pins = readPins(given.text("caPin") ?? "");
  const tokenFile = given.text("token") ?? "";
  const { services } = await loadFor(options, surroundings);
  const kind = kindIn(given.text("kind")) ?? kindOf(services);
  makeDataDirectory(services.dataDirectory);
  const token: Joining["token"] = (left) => {
    if (left !== undefined)
      log("warning", `auth refuses the ${kind} ${left.stored.instance}, which this host was: it joins again`, {});
    const read = readJoinToken(tokenFile);
    if (read.readableBy === "others") {
      const path = quote(tokenFile, longestPath);
      log("warning", `others may read the token in ${path}: \`chmod 600 ${quote(shellWord(tokenFile), longestPath)}\``, {});
    }
    return read;
  };
  const joined = await joinCluster(
    { authServers, pins, token, existing: given.isSet("replace") ? "replace" : "ask" },
    {
      place: { dataDirectory: services.dataDirectory, kind },
      about: { hostname: services.nodename ?? hostname(), services: [kind], version: build.version },
      ways: waysBy(proxiesFor(environment)),
      clock: () => readClock(),
      random: Math.random,
      wait,
      stopping,
    },
  );
  out(options.json ? `${JSON.stringify(encode(joinAnswer, joined))}\n` : text(joined, tokenFile));
  return 0;
}

function kindIn(typed: string | undefined): "node" | "proxy" | undefined {
  return typed === "node" || typed === "proxy" ? typed : undefined;
}

const longestPath = 200;

function text(joined: Joined, tokenFile: string): string {
  const { cluster, kind, instance, authServers } = joined.identity.stored;
  const who = `the cluster ${quote(cluster.name)} as the ${kind} ${instance}`;
  const where = authServers.join(", ");
  if (joined.kind === "already") {
    const addresses = joined.addresses === "changed" ? ` Auth is reached at ${where} from now on.` : "";
    return `This host has joined ${who} already, and auth knows it.${addresses} No token was used.\n`;
  }
  const until = printInstant(joined.identity.peer.until);
  return `This host has joined ${who}.
Its certificate is good until ${until}, and is renewed before that while svc runs.
Where svc runs, have it see that: \`sudo systemctl try-reload-or-restart svc\`
Where it does not yet: \`sudo systemctl enable --now svc\`
The token is of no more use here: \`rm ${quote(shellWord(tokenFile), longestPath)}\`
`;
}
