import type { Spec, StageSpec } from "./spec.ts";
import type { StageStatus, Status } from "./status.ts";

/** A stage as a person wrote it, and its status. */
export type Stage = { readonly spec: StageSpec; readonly status: StageStatus };

export function stagesOf({ stages: specs }: Spec, { stages }: Status): readonly Stage[] {
  return specs.flatMap((spec) => stages.filter(({ name }) => name === spec.name).map((status) => ({ spec, status })));
}
