import { quote } from "../fault/quote.ts";
import type { ChannelAnswer } from "../decide/facts.ts";
import { faultBounds, lengthOfQuoted, type FaultBounds } from "./bounds.ts";
import { channelAnswer, others, passId } from "./decode-hand-over.ts";
import { writtenAnswer } from "./encode-hand-over.ts";
import { listOf, malformed, object, oneOf, orUndefined, readJson, text, type Reader, type Reading } from "./read.ts";

/** The way to the version, hop by hop, in the order in which it is gone. */
export const hopNames = ["route", "proxy", "dns", "tls", "channel", "answer"] as const;
export type HopName = (typeof hopNames)[number];

/** One hop and what was seen of it; what each verdict means, doctor says. */
export type HopCheck = {
  readonly name: HopName;
  readonly verdict: "ok" | "warning" | "failed" | "skipped";
  readonly told: string;
  readonly fix?: string;
};

/** What the asking half saw on the way, all hops in their order, and what the channel said in the end. */
export type Probe = {
  readonly pass: string;
  readonly checks: readonly HopCheck[];
  readonly answer: ChannelAnswer;
};

/** Larger than any probe; what is larger is none. */
export const longestProbeBytes: number = 16 * 1024;

/** Never longer than its cap: where everything is said at great length, all of it is cut. */
export function encodeProbe({ pass, checks, answer }: Probe): string {
  let printed = "";
  for (const bounds of tiers) {
    printed = JSON.stringify({
      pass,
      checks: checks.map((check) => boundCheck(check, bounds)),
      answer: writtenAnswer(answer, bounds.fault),
    });
    if (new TextEncoder().encode(printed).length <= longestProbeBytes) break;
  }
  return printed;
}

/** It comes from a process that spoke to the network: every text in it is made printable again. */
export function decodeProbe(found: string): Reading<Probe> {
  return readJson(found, probe);
}

type Bounds = { readonly longestTold: number; readonly longestFix: number; readonly fault: FaultBounds };

/** A certificate with its names takes 500 characters, a command to type 300. */
const longestTold = 800;
const longestFix = 500;

/** The last fits whatever it says: a character takes four bytes at most. */
const tiers: readonly Bounds[] = [
  { longestTold, longestFix, fault: faultBounds },
  { longestTold: 250, longestFix: 150, fault: { longestMessage: 250, longestHint: 150, longestCause: 0, mostCauses: 0 } },
];

function boundCheck({ name, verdict, told, fix }: HopCheck, bounds: Pick<Bounds, "longestTold" | "longestFix">): HopCheck {
  const cut = { name, verdict, told: quote(told, bounds.longestTold) };
  return fix === undefined ? cut : { ...cut, fix: quote(fix, bounds.longestFix) };
}

const check = object<{ readonly [K in keyof HopCheck]-?: HopCheck[K] | undefined }>(
  {
    name: oneOf<HopName>({ route: 0, proxy: 0, dns: 0, tls: 0, channel: 0, answer: 0 }),
    verdict: oneOf<HopCheck["verdict"]>({ ok: 0, warning: 0, failed: 0, skipped: 0 }),
    told: text(lengthOfQuoted(longestTold)),
    fix: orUndefined(text(lengthOfQuoted(longestFix))),
  },
  others,
);

const everyCheck: Reader<readonly HopCheck[]> = (value, at) => {
  const known = Array.isArray(value) ? value.filter((row) => !isOfLaterHop(row)) : value;
  const checks = listOf(check, hopNames.length)(known, at) as readonly HopCheck[];
  const isEvery = hopNames.every((name, index) => checks[index]?.name === name);
  return isEvery ? checks.map((read) => boundCheck(read, { longestTold, longestFix })) : malformed(at, "every hop in its order");
};

/** A later release may look at more hops. */
function isOfLaterHop(row: unknown): boolean {
  const name = typeof row === "object" && row !== null ? (row as { readonly name?: unknown }).name : undefined;
  return typeof name === "string" && !(hopNames as readonly string[]).includes(name);
}

const probe = object<Probe>({ pass: passId, checks: everyCheck, answer: channelAnswer }, others);
