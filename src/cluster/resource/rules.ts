import type { Role } from "../access/judge.ts";
import type { ResourceOf } from "./resource.ts";

export function roleOf({ metadata, spec }: Pick<ResourceOf<"role">, "metadata" | "spec">): Role {
  return { name: metadata.name, allow: spec.allow.rules, deny: spec.deny.rules };
}
