import type { Served } from "../channel/answer.ts";
import type { CriticalDoubt } from "../channel/doubt.ts";
import { mostVersions, type Heard } from "../channel/heard.ts";

export function writtenServed(served: Served): object {
  return served.kind === "none" ? { kind: served.kind } : { kind: served.kind, version: served.version };
}

export function writtenDoubt(doubt: CriticalDoubt): object {
  return doubt.kind === "another" ? { kind: doubt.kind, named: writtenServed(doubt.named) } : { kind: doubt.kind };
}

/** Undefined: there is nothing to say. */
export function writtenHeard({ channel, versions, decision, alternation, disagreedAt, agreed }: Heard): object | undefined {
  if (channel === undefined) return undefined;
  return {
    channel,
    versions: versions
      .slice(0, mostVersions)
      .map(({ version, since, until, came, before }) => ({ version, since, until, came, before })),
    decision: decision && { number: decision.number, at: decision.at },
    alternation: alternation && { at: alternation.at, between: alternation.between },
    disagreedAt,
    agreed: agreed && { version: agreed.version, passes: agreed.passes },
  };
}
