import { faultBounds, type FaultBounds } from "../../rules/fault/data.ts";
import { quote } from "../../rules/text/quote.ts";
import { channelAnswer } from "../../rules/decide/gate-facts.ts";
import { decode, type Reading } from "../../rules/shape/read.ts";
import { coded, listOf, optional, printable, record, words, type Of } from "../../rules/shape/shape.ts";
import { encode } from "../../rules/shape/write.ts";
import { boundAnswer, passId } from "./hand-over.ts";

/** The hops to the version, in order. */
export const hopNames = ["route", "proxy", "dns", "tls", "channel", "answer"] as const;
export type HopName = (typeof hopNames)[number];

/** A certificate with its names takes 500 characters, a command 300. */
const bounds = { longestTold: 800, longestFix: 500, fault: faultBounds };
type Bounds = { readonly longestTold: number; readonly longestFix: number; readonly fault: FaultBounds };

/** One hop and what the probe saw there; doctor explains the verdicts. */
export const hopCheck = record({
  name: words<HopName>({ route: 0, proxy: 0, dns: 0, tls: 0, channel: 0, answer: 0 }),
  verdict: words({ ok: 0, warning: 0, failed: 0, skipped: 0 }),
  told: printable(bounds.longestTold),
  fix: optional(printable(bounds.longestFix)),
});
export type HopCheck = Of<typeof hopCheck>;

const everyCheck = coded(listOf(hopCheck, hopNames.length), {
  /** Drops hops that only a later release knows. */
  sift: (found) => (Array.isArray(found) ? found.filter((row) => !isOfLaterHop(row)) : found),
  read: (checks) => (hopNames.every((name, index) => checks[index]?.name === name) ? checks : undefined),
  write: (checks) => checks,
  expected: "every hop in its order",
});

function isOfLaterHop(row: unknown): boolean {
  const name = typeof row === "object" && row !== null ? (row as { readonly name?: unknown }).name : undefined;
  return typeof name === "string" && !(hopNames as readonly string[]).includes(name);
}

/** What the asking unit saw, all hops in order, and the channel's answer. */
export const probe = record({ pass: passId, checks: everyCheck, answer: channelAnswer });
export type Probe = Of<typeof probe>;

/** Longer than any probe. A longer line is not a probe. */
export const longestProbeBytes: number = 16 * 1024;

/** The last tier always fits: a character takes at most four bytes. */
const tiers: readonly Bounds[] = [
  bounds,
  { longestTold: 250, longestFix: 150, fault: { longestMessage: 250, longestHint: 150, longestCause: 0, mostCauses: 0 } },
];

/** Keeps the text below the cap by shortening every text in it. */
export function encodeProbe({ pass, checks, answer }: Probe): string {
  let printed = "";
  for (const tier of tiers) {
    const cut = checks.map((one) => boundCheck(one, tier));
    printed = JSON.stringify(encode(probe, { pass, checks: cut, answer: boundAnswer(answer, tier.fault) }));
    if (new TextEncoder().encode(printed).length <= longestProbeBytes) break;
  }
  return printed;
}

function boundCheck({ name, verdict, told, fix }: HopCheck, { longestTold, longestFix }: Bounds): HopCheck {
  return { name, verdict, told: quote(told, longestTold), fix: fix === undefined ? undefined : quote(fix, longestFix) };
}

/** Reads a probe. Its process spoke to the network, so every text is made printable again. */
export function decodeProbe(found: string): Reading<Probe> {
  return decode(found, probe, "ignored");
}
