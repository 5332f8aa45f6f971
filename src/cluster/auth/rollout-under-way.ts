import type { HostEvidence } from "../../rules/rollout/host-evidence.ts";
import { stageFinder } from "../../rules/rollout/membership.ts";
import type { Spec } from "../../rules/rollout/spec.ts";
import { stagesOf } from "../../rules/rollout/stage.ts";
import type { Status } from "../../rules/rollout/status.ts";
import type { Version } from "../../rules/version/version.ts";

/** What the answer to a host's report needs of a rollout that is not over. */
export type UnderWay = {
  readonly rollout: string;
  readonly target: Version;
  readonly stageOf: (host: Pick<HostEvidence, "rank" | "labels">) => string | undefined;
};

export function underWayOf(rollout: string, spec: Spec, status: Status): UnderWay {
  const find = stageFinder(stagesOf(spec, status));
  return { rollout, target: spec.target, stageOf: (host) => find(host)?.status.name };
}
