import { asksHostHeader, hostHeader, installedHeader, parseHostId, type HostId } from "../../rules/channel/asking-host.ts";
import type { Served } from "../../rules/channel/answer.ts";
import { parseDecisionNumber, unconfirmedHeader, type DecisionNumber } from "../../rules/channel/decision-number.ts";
import { printServed } from "../../rules/channel/headers.ts";
import { parseVersion, type Version } from "../../rules/version/version.ts";
import { answersBy, type Word } from "../../rules/rollout/answer.ts";
import { rankOf, type Sha256 } from "../../rules/rollout/membership.ts";
import type { Question } from "./asked.ts";
import type { ServerAnswer } from "./server-answer.ts";

/** What auth has decided: a word for each channel that has a rollout. A word's number counts within the epoch. */
export type Words = { readonly epoch: number; readonly words: readonly Word[] };

/** Who asks, as the headers say. `installed` is undefined for a client without a name. */
type Asker = { readonly host: HostId | undefined; readonly installed: string | undefined };

export function askerBy(headers: Readonly<Record<string, unknown>>): Asker {
  const host = parseHostId(headers[hostHeader]);
  const installed = headers[installedHeader];
  return { host, installed: host !== undefined && typeof installed === "string" ? installed : undefined };
}

/** Tells whether a host is told the target of a word, or the version from before. */
export function tellsTarget(word: Word, sha256: Sha256): (asker: Asker) => boolean {
  const { target, from } = word;
  const served = answersBy(word);
  return ({ host, installed }) => {
    const named = host === undefined ? {} : { named: { id: host, rank: rankOf(host, target, sha256) } };
    return served({ installed, ...named }) !== from;
  };
}

/**
 * What a host is told if the word may be outdated: its installed version, so that an updater of an earlier release, which does not know the header,
 * stays there too. A host that sends no version gets the answer for hosts without a name.
 */
export function unconfirmedFor({ host, installed }: Asker): { readonly version: Version } | { readonly asker: Asker } {
  const version = host === undefined || installed === undefined ? undefined : parseVersion(installed);
  return version === undefined ? { asker: { host: undefined, installed: undefined } } : { version };
}

export type Saying = { readonly decision: DecisionNumber | undefined; readonly isUnconfirmed?: true; readonly isCritical?: true };

/** Makes the answer with the target or with the version from before. */
export function decidedAnswer(question: Question, served: Served, { decision, isUnconfirmed, isCritical }: Saying): ServerAnswer {
  const names = printServed(served);
  return {
    status: 200,
    contentType: "text/plain; charset=utf-8",
    cacheControl: "private, no-store",
    names,
    decision,
    besides: [
      "Vary",
      `${hostHeader}, ${installedHeader}`,
      asksHostHeader,
      "yes",
      ...(isUnconfirmed === true ? [unconfirmedHeader, "yes"] : []),
    ],
    body: `${question === "version" ? names : isCritical === true ? "yes" : "no"}\n`,
  };
}

export function decisionOf({ epoch }: Words, { number }: Word): DecisionNumber | undefined {
  return parseDecisionNumber(`${epoch}.${number}`);
}
