import { nearest } from "../../rules/text/nearest.ts";
import { readLine } from "../../rules/settings/read-text.ts";
import {
  accepted,
  describe,
  isMapping,
  refused,
  refusedAs,
  type RefusedSetting,
  type SettingReading,
} from "../../rules/settings/reading.ts";
import { githubSpec, oidcSpec, samlSpec } from "./connector.ts";
import { mapping, maybe, needed, plain, understood, type AnyForm, type Form, type Source } from "./form.ts";
import { maintenanceName, maintenanceSpec } from "./maintenance.ts";
import { resourceName, type ResourceName } from "./name.ts";
import { roleSpec } from "./role.ts";
import { userSpec } from "./user.ts";

/** Every kind that is made from a file, with the version of its form. A kind that has a name of its own is there once. */
const table = {
  role: { version: "v7", spec: roleSpec },
  user: { version: "v2", spec: userSpec },
  cluster_maintenance_config: { version: "v1", spec: maintenanceSpec, only: maintenanceName },
  github: { version: "v3", spec: githubSpec },
  saml: { version: "v2", spec: samlSpec },
  oidc: { version: "v3", spec: oidcSpec },
} as const;

export type ResourceKind = keyof typeof table;
export const resourceKinds: readonly ResourceKind[] = Object.keys(table) as ResourceKind[];

type SpecOf<Kind extends ResourceKind> = (typeof table)[Kind]["spec"] extends Form<infer Spec> ? Spec : never;

export type ResourceOf<Kind extends ResourceKind> = {
  readonly kind: Kind;
  readonly version: string;
  readonly metadata: {
    readonly name: ResourceName;
    /** Of the one that was read before it was changed; undefined: whatever is there. */
    readonly revision: string | undefined;
  };
  readonly spec: SpecOf<Kind>;
};
export type Resource = { [Kind in ResourceKind]: ResourceOf<Kind> }[ResourceKind];

type Row = { readonly version: string; readonly spec: AnyForm; readonly only?: string };

/** Of a resource whole: every fault at once, each with where it is, what was found and what is allowed. */
export function readResource(raw: unknown, source: Source): SettingReading<Resource> {
  if (!isMapping(raw))
    return refusedAs([{ at: "", found: describe(raw), allowed: "a mapping of kind, version, metadata, spec" }]);
  const kind = resourceKinds.find((one) => one === raw["kind"]);
  // The form is the kind's own.
  return kind === undefined
    ? refusedAs([unknownKind(raw["kind"])])
    : (formOf(kind).read(raw, source) as SettingReading<Resource>);
}

/** As it is written into a file: what goes without saying is left out, but for what it is. */
export function writeResource(resource: Resource): Readonly<Record<string, unknown>> {
  return formOf(resource.kind).write(resource as never) as Readonly<Record<string, unknown>>;
}

function formOf(kind: ResourceKind): AnyForm {
  const { version, spec, only }: Row = table[kind];
  const revision = maybe(plain(readLine, "the revision that was read before"));
  const around = { kind: needed(exactly(kind)), version: understood(exactly(version), version) };
  const specKey = { ...spec, absent: undefined };
  if (only === undefined) {
    const metadata = mapping({ name: needed(resourceName), revision });
    return mapping({ ...around, metadata: needed(metadata), spec: specKey });
  }
  const name = only as ResourceName;
  const metadata = mapping({ name: understood(exactly(name), name), revision });
  return mapping({ ...around, metadata: understood(metadata, { name, revision: undefined }), spec: specKey });
}

function exactly<Text extends string>(text: Text): Form<Text> {
  return plain((raw) => (raw === text ? accepted(text) : refused(raw)), text);
}

function unknownKind(found: unknown): RefusedSetting {
  const meant = typeof found === "string" ? nearest(found, resourceKinds) : undefined;
  const told = meant === undefined ? describe(found) : `${describe(found)}, did you mean ${meant}?`;
  return { at: ".kind", found: told, allowed: resourceKinds.join(", ") };
}
