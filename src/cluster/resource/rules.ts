import type { Role } from "../access/judge.ts";
import type { Shells } from "../access/shells.ts";
import type { ResourceOf } from "./resource.ts";

export function roleOf({ metadata, spec }: Pick<ResourceOf<"role">, "metadata" | "spec">): Role {
  const { allow, deny } = spec;
  const shells = [{ allow: shellsOf(allow), deny: shellsOf(deny) }];
  return { name: metadata.name, allow: allow.rules, deny: deny.rules, shells };
}

type Side = ResourceOf<"role">["spec"]["allow"];

function shellsOf({ logins, node_labels: labels }: Side): Shells {
  return { logins, labels };
}
