import { encode } from "../../../rules/shape/write.ts";
import type { Channel, Configuration } from "../../server-rules/configuration.ts";
import { printHostPort } from "../../../rules/route/host-port.ts";
import { always, answer, kindsOf, line, list, recordOf, told } from "../../../rules/shape/answer.ts";
import { truth } from "../../../rules/shape/shape.ts";
import { digestOf } from "../prepared-answers.ts";
import { runCommand } from "../../../machine/processes/run-command.ts";
import type { Reader } from "../load.ts";
import { checkAsUnit } from "./check-as-unit.ts";
import { loadFor } from "./context.ts";
import type { ServerContext, Options } from "./called.ts";

type Named<K> = Extract<Channel, { kind: K }> & { readonly name: string };
const nameKey = always("as it stands in a URL, with its slashes", line, (channel: { readonly name: string }) => channel.name);

const anyChannel = kindsOf<Channel & { readonly name: string }>()({
  static: recordOf<Named<"static">>("a channel that the configuration answers for")({
    name: nameKey,
    static_version: always(
      "the version with its leading v, or none where nothing is to be upgraded at present",
      line,
      ({ served }) => (served.kind === "none" ? "none" : `v${served.version}`),
    ),
    critical: always("whether hosts are to upgrade outside of their windows", truth, "isCritical"),
  }),
  forwarded: recordOf<Named<"forwarded">>("a channel that an upstream is asked for")({
    name: nameKey,
    forward_url: always("the upstream channel, without its last /version", line, "url"),
  }),
});

type Found = {
  readonly config: string;
  readonly configuration: Configuration;
  readonly tls: boolean;
  readonly digest: string;
  readonly remarks: readonly string[];
  readonly reader: Reader;
};

export const checkAnswer = answer<Found>("What would be served; where the configuration is wrong, the answer is a fault.")({
  config: always("the file that was read", line, "config"),
  listen: always("the address and port that would be listened on", line, (found) => printHostPort(found.configuration.listen)),
  tls: always("whether the listener has certificates", truth, "tls"),
  public_addr: always("the address and port that clients are told", line, (found) =>
    printHostPort(found.configuration.publicAddress),
  ),
  digest: always("what all instances must have in common; svc-proxy config digest tells the same", line, "digest"),
  channels: always("every channel, default first", list(told("one channel", anyChannel)), ({ configuration }) =>
    [...configuration.channels].map(([named, one]) => ({ name: named, ...one })),
  ),
  as_unit: always(
    "whether it was checked as svc-proxy.service would read it, with its user, groups, proxies and sandbox",
    truth,
    (found) => found.reader === "unit",
  ),
  remarks: always("allowed settings that may be mistakes", list(told("in words, for people", line)), "remarks"),
});

/** Whether the unit would start: checks as the unit runs, if possible. */
export async function check(options: Options, context: ServerContext): Promise<number> {
  const { surroundings, log } = context;
  const { config } = options;
  const asUnit = await checkAsUnit({
    program: "svc-proxy",
    starts: "serve",
    config: options.isConfigNamed ? config : undefined,
    options,
    run: runCommand,
    log,
  });
  if (asUnit.kind === "not-looked-at") {
    const notLookedAt = `it was not looked at whether svc-proxy.service may read these files, nor at its proxies: ${asUnit.why}`;
    return checkHere(options, context, { reader: "caller", notLookedAt });
  }
  surroundings.out(asUnit.stdout);
  surroundings.error(asUnit.stderr);
  return asUnit.status;
}

/** Runs the check inside the unit. */
export function checkInUnit(options: Options, context: ServerContext): Promise<number> {
  return checkHere(options, context, { reader: "unit", notLookedAt: undefined });
}

type Here = { readonly reader: Reader; readonly notLookedAt: string | undefined };

async function checkHere(options: Options, { surroundings, log }: ServerContext, { reader, notLookedAt }: Here): Promise<number> {
  const { environment, out } = surroundings;
  const loaded = await loadFor(options, environment, reader);
  const { configuration, keyPairs } = loaded;
  const remarks = [...loaded.remarks, ...(notLookedAt === undefined ? [] : [notLookedAt])];
  for (const remark of remarks) log("warning", remark, {});
  const { channels, publicAddress } = configuration;
  const digest = digestOf(configuration);
  if (options.json) {
    const found = { config: options.config, configuration, tls: keyPairs.length > 0, digest, remarks, reader };
    out(`${JSON.stringify(encode(checkAnswer, found))}\n`);
    return 0;
  }
  out(`${options.config} is right: ${publicAddress.host}, ${channels.size === 1 ? "1 channel" : `${channels.size} channels`}\n`);
  const width = Math.max(...[...channels.keys()].map((name) => name.length));
  for (const [name, channel] of channels) out(`  ${name.padEnd(width)}  ${channelText(channel)}\n`);
  return 0;
}

function channelText(channel: Channel): string {
  if (channel.kind === "forwarded") return `from ${channel.url}`;
  const { served, isCritical } = channel;
  return served.kind === "none" ? "none" : `v${served.version}${isCritical ? ", critical" : ""}`;
}
