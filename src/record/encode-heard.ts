import type { Served } from "../channel/answer.ts";
import type { CriticalDoubt } from "../channel/doubt.ts";
import { mostVersions, type Heard } from "../channel/heard.ts";
import { writing } from "./write.ts";

function writtenServed(served: Served): object {
  return writing(served, served.kind === "none" ? { kind: served.kind } : { kind: served.kind, version: served.version });
}

export function writtenDoubt(doubt: CriticalDoubt): object {
  return writing(
    doubt,
    doubt.kind === "another" ? { kind: doubt.kind, named: writtenServed(doubt.named) } : { kind: doubt.kind },
  );
}

/** Undefined: there is nothing to say. */
export function writtenHeard(heard: Heard): object | undefined {
  const { channel, versions, decision, alternation, disagreedAt, agreed } = heard;
  if (channel === undefined) return undefined;
  return writing(heard, {
    channel,
    versions: versions.slice(0, mostVersions).map((stretch) => {
      const { version, since, until, came, before } = stretch;
      return writing(stretch, { version, since, until, came, before });
    }),
    decision: decision && writing(decision, { number: decision.number, at: decision.at }),
    alternation: alternation && writing(alternation, { at: alternation.at, between: alternation.between }),
    disagreedAt,
    agreed: agreed && writing(agreed, { version: agreed.version, passes: agreed.passes }),
  });
}
