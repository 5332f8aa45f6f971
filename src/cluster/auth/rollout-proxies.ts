import { setTimeout as sleep } from "node:timers/promises";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GetWordsRequest, RolloutProxySchema } from "../api/generated/svc/v1/rollout_pb.ts";
import { served, type Served } from "../../rules/channel/answer.ts";
import {
  compareDecisions,
  decisionNumber,
  parseDecisionNumber,
  type DecisionNumber,
} from "../../rules/channel/decision-number.ts";
import { printServed } from "../../rules/channel/headers.ts";
import { channelName, parseChannelName, type ChannelName } from "../../rules/channel/path.ts";
import { count, listOf, optional, record, type Of } from "../../rules/shape/shape.ts";
import { compareVersions, parseVersion } from "../../rules/version/version.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { Store } from "../storage/port.ts";
import { put } from "./changes.ts";
import type { AuthContext } from "./context.ts";
import { everyItem } from "./every-item.ts";
import { findJoined } from "./instance-row.ts";
import { findNumber, printNumber } from "./rollout-number.ts";
import { bodyOf, findRow, rowOf } from "./row-forms.ts";
import { timestamp } from "./timestamp.ts";

const mostChannels = 10_000;

/** What a proxy said when it last asked. */
const proxyRow = record({
  /** The number of auth's decisions that it has; undefined if it has none yet. */
  number: optional(decisionNumber),
  /** What its own configuration file serves. */
  served: listOf(record({ channel: channelName, served }), mostChannels),
  at: count,
});
type ProxyRow = Of<typeof proxyRow>;

const kind = "rollout-proxy";
/** A proxy asks at least every half minute, but its row is written less often. */
const writtenEverySeconds = 60;
const askingSeconds = 150;
const forgottenSeconds = 30 * 86_400;

export async function noteProxy(context: AuthContext, id: string, request: GetWordsRequest): Promise<void> {
  const { store, now } = context;
  const key = { kind, name: id };
  const found = await findRow(store, proxyRow, key);
  const row = { number: parseDecisionNumber(request.number), served: readServed(request.served), at: now() };
  const body = bodyOf(proxyRow, row);
  const isSame = found !== undefined && JSON.stringify(bodyOf(proxyRow, { ...found.row, at: row.at })) === JSON.stringify(body);
  if (isSame && Math.abs(row.at - found.row.at) < writtenEverySeconds) return;
  // If the commit is overtaken, the same proxy has asked again meanwhile and its later row counts.
  await store.commit({ at: row.at, by: id, changes: [put(key, body, found?.item)], audit: [] });
}

function readServed(said: Readonly<Record<string, string>>): ProxyRow["served"] {
  return Object.entries(said)
    .slice(0, mostChannels)
    .flatMap(([name, text]) => {
      const channel = parseChannelName(name);
      const version = parseVersion(text.replace(/^v/, ""));
      if (channel === undefined || (version === undefined && text !== "none")) return [];
      return [{ channel, served: version === undefined ? ({ kind: "none" } as const) : ({ kind: "version", version } as const) }];
    })
    .toSorted((one, other) => (one.channel < other.channel ? -1 : 1));
}

export type KnownProxy = {
  readonly id: string;
  readonly hostname: string;
  readonly row: ProxyRow;
  /** Whether it asked in the last minutes. */
  readonly isAsking: boolean;
};

/** Lists the proxies that have asked and are still in the cluster. */
export async function everyProxy(store: Pick<Store, "get" | "list">, now: UnixSeconds): Promise<readonly KnownProxy[]> {
  const found: KnownProxy[] = [];
  for await (const item of everyItem(store, kind)) {
    const row = rowOf(proxyRow, item);
    if (now - row.at > forgottenSeconds) continue;
    const instance = await findJoined(store, item.name);
    if (instance === undefined) continue;
    found.push({ id: item.name, hostname: instance.row.hostname, row, isAsking: Math.abs(now - row.at) < askingSeconds });
  }
  return found;
}

export function servesOn({ row }: Pick<KnownProxy, "row">, channel: string): Served | undefined {
  return row.served.find((one) => one.channel === channel)?.served;
}

/** What most proxies' own files serve on a channel; the older version in a tie. Undefined if no asking proxy has the channel. */
export function servedByMost(proxies: readonly KnownProxy[], channel: ChannelName): Served | undefined {
  const counts = new Map<string, { readonly served: Served; times: number }>();
  for (const proxy of proxies.filter(({ isAsking }) => isAsking)) {
    const said = servesOn(proxy, channel);
    if (said === undefined) continue;
    const known = counts.get(printServed(said)) ?? { served: said, times: 0 };
    known.times += 1;
    counts.set(printServed(said), known);
  }
  const [first] = [...counts.values()].toSorted((one, other) => other.times - one.times || older(one.served, other.served));
  return first?.served;
}

function older(one: Served, other: Served): number {
  if (one.kind === "none" || other.kind === "none") return one.kind === other.kind ? 0 : one.kind === "none" ? -1 : 1;
  return compareVersions(one.version, other.version);
}

export function proxyMessage(
  { id, hostname, row }: KnownProxy,
  { channel, number }: { readonly channel: string; readonly number: DecisionNumber },
): MessageInitShape<typeof RolloutProxySchema> {
  const serves = servesOn({ row }, channel);
  return {
    id,
    hostname,
    confirmed: hasConfirmed(row, number),
    serves: serves === undefined ? "" : printServed(serves),
    asked: timestamp(row.at),
  };
}

function hasConfirmed({ number }: ProxyRow, decided: DecisionNumber): boolean {
  return number !== undefined && compareDecisions(number, decided) >= 0;
}

const longestAwaitSeconds = 10;
const lookEveryMs = 100;

/** Waits until every asking proxy has the newest decision, but only for that many seconds. Returns the proxies. */
export async function awaitProxies(
  { store, cluster, now }: AuthContext,
  { channel, seconds }: { readonly channel: string; readonly seconds: number },
): Promise<readonly MessageInitShape<typeof RolloutProxySchema>[]> {
  const number = printNumber(cluster.epoch, await findNumber(store));
  const untilMs = performance.now() + Math.min(seconds, longestAwaitSeconds) * 1000;
  for (;;) {
    const proxies = await everyProxy(store, now());
    const isWaiting = proxies.some(({ isAsking, row }) => isAsking && !hasConfirmed(row, number));
    if (!isWaiting || performance.now() >= untilMs) return proxies.map((proxy) => proxyMessage(proxy, { channel, number }));
    await sleep(lookEveryMs);
  }
}
