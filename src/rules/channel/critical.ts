import { printInstant } from "../window/instant.ts";
import type { UnixSeconds } from "../window/window.ts";
import type { Served } from "./answer.ts";
import type { CriticalDoubt } from "./doubt.ts";
import { printServed } from "./headers.ts";
import type { Heard } from "./heard.ts";
import { daySeconds } from "../window/seconds.ts";

/** "doubted": an answer called the version critical, but that does not count yet; `told` says why. */
export type CriticalVerdict =
  | { readonly kind: "no" }
  | { readonly kind: "counts" }
  | { readonly kind: "doubted"; readonly told: string };

export type CriticalAnswer = {
  readonly served: Served;
  readonly isCritical: boolean;
  readonly doubt?: CriticalDoubt | undefined;
};

/** Two passes must agree. Behind a balancer each request may reach another instance, so the answers of one pass sometimes agree by chance. */
const passesToAgree = 2;

/** Whether the served version counts as critical. `heard` includes this answer. */
export function weighCritical({ served, isCritical, doubt }: CriticalAnswer, heard: Heard, now: UnixSeconds): CriticalVerdict {
  if (served.kind === "none") return { kind: "no" };
  if (isCritical) return { kind: "counts" };
  switch (doubt?.kind) {
    case undefined:
      return { kind: "no" };
    case "another":
      return doubted(
        `the answer is about ${printServed(doubt.named)}, and ${printServed(served)} is served: instances of the version server disagree, or a cache is old`,
      );
    case "disagreeing":
      return doubted("the version server was asked twice, and its two answers differ");
    case "unnamed":
      return weighUnnamed(served, heard, now);
  }
}

function weighUnnamed(served: Extract<Served, { kind: "version" }>, heard: Heard, now: UnixSeconds): CriticalVerdict {
  const { disagreedAt, agreed } = heard;
  if (disagreedAt !== undefined && disagreedAt <= now && now - disagreedAt < daySeconds) {
    return doubted(
      `the version server does not say which version it means, and its answers disagreed at ${printInstant(disagreedAt)}; it counts from ${printInstant(disagreedAt + daySeconds)} on if they agree until then`,
    );
  }
  if (agreed?.version === served.version && agreed.passes >= passesToAgree) return { kind: "counts" };
  return doubted("the version server does not say which version it means; it counts if the next answer is the same");
}

function doubted(told: string): CriticalVerdict {
  return { kind: "doubted", told };
}
