import { line } from "../../rules/settings/read-text.ts";
import { check } from "../../rules/shape/check.ts";
import { decodeValue, type Reading } from "../../rules/shape/read.ts";
import { accepted, describe, isMapping, refusedAs, type Checked } from "../../rules/shape/reading.ts";
import { allowing, exactly, maybe, oneOf, orElse, record, refined, words, type Of, type Shape } from "../../rules/shape/shape.ts";
import { encode } from "../../rules/shape/write.ts";
import { githubSpec, oidcSpec, samlSpec } from "./connector.ts";
import { maintenanceName, maintenanceSpec } from "./maintenance.ts";
import { resourceName, type ResourceName } from "./name.ts";
import { rolloutSpec } from "./rollout.ts";
import { roleSpec } from "./role.ts";
import { userSpec } from "./user.ts";

const revision = maybe(allowing("the revision that was read before", line));
const description = maybe(line);
const named = record({ name: resourceName, description, revision });

/** The only resource of a kind that has a fixed name. */
const only = maintenanceName as ResourceName;
const namedOnce = orElse(record({ name: orElse(exactly(only), only), description, revision }), {
  name: only,
  description: undefined,
  revision: undefined,
});

function resourceOf<Kind extends string, Spec extends object>(
  kind: Kind,
  { version, older = [], spec, metadata = named }: Described<Spec>,
) {
  const read = refined(oneOf([version, ...older]), () => accepted(version));
  return record({ kind: exactly(kind), version: orElse(read, version), metadata, spec });
}

type Described<Spec extends object> = {
  readonly version: string;
  /** Older versions. Their files are read as if they had the newest. */
  readonly older?: readonly string[];
  readonly spec: Shape<Spec>;
  readonly metadata?: typeof named;
};

/** Every kind of resource that a file can describe. */
const shapes = {
  role: resourceOf("role", { version: "v7", older: ["v6", "v5", "v4", "v3"], spec: roleSpec }),
  user: resourceOf("user", { version: "v2", spec: userSpec }),
  cluster_maintenance_config: resourceOf("cluster_maintenance_config", {
    version: "v1",
    spec: maintenanceSpec,
    metadata: namedOnce,
  }),
  github: resourceOf("github", { version: "v3", spec: githubSpec }),
  saml: resourceOf("saml", { version: "v2", spec: samlSpec }),
  oidc: resourceOf("oidc", { version: "v3", spec: oidcSpec }),
  rollout: resourceOf("rollout", { version: "v1", spec: rolloutSpec }),
} as const;

export type ResourceKind = keyof typeof shapes;
export const resourceKinds: readonly ResourceKind[] = Object.keys(shapes) as ResourceKind[];

/** A resource. Its revision is the one that was read before the change; undefined accepts any. */
export type ResourceOf<Kind extends ResourceKind> = Of<(typeof shapes)[Kind]>;
export type Resource = { [Kind in ResourceKind]: ResourceOf<Kind> }[ResourceKind];

const anyKind = record({ kind: words(shapes) });

/** Reads a person's file: the resource, or all its faults. */
export function readResource(raw: unknown): Checked<Resource> {
  if (!isMapping(raw))
    return refusedAs([{ at: "", found: describe(raw), allowed: "a mapping of kind, version, metadata, spec" }]);
  const kind = check(anyKind, { kind: raw["kind"] });
  return kind.kind === "refused" ? kind : check<Resource>(shapes[kind.value.kind], raw, "absent");
}

/** Reads a stored resource, perhaps of a later release. */
export function storedResource(body: unknown): Reading<Resource> {
  const found = decodeValue(body, anyKind, "ignored");
  return found.kind === "unreadable" ? found : decodeValue<Resource>(body, shapes[found.value.kind], "kept");
}

/** A resource as in a file: without defaults, but with what identifies it. */
export function writeResource(resource: Resource): Readonly<Record<string, unknown>> {
  return encode(shapes[resource.kind] as Shape<Resource>, resource) as Readonly<Record<string, unknown>>;
}
