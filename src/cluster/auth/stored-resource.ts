import { isPreset, presets } from "../access/presets.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { maintenanceName } from "../resource/maintenance.ts";
import { resourceKinds, type ResourceKind } from "../resource/resource.ts";
import { withoutSecrets } from "../resource/secrets.ts";
import { nearest } from "../../rules/text/nearest.ts";
import type { Item, JsonObject } from "../storage/port.ts";

/** A stored resource as a caller gets it. */
export function shown({ body, revision }: Item, secrets: "with-secrets" | "without-secrets"): JsonObject {
  const whole = { ...body, metadata: { ...(body["metadata"] as JsonObject), revision } };
  return secrets === "with-secrets" ? whole : (withoutSecrets(whole) as JsonObject);
}

/** Preset roles are not in the store, because a later release may bring others. */
export function presetRoles(): readonly JsonObject[] {
  return presets
    .map(({ name, allow }) => ({
      kind: "role",
      version: "v7",
      metadata: { name },
      spec: { allow: { rules: allow.map(({ resources, verbs }) => ({ resources, verbs })) } },
    }))
    .toSorted((one, other) => (one.metadata.name < other.metadata.name ? -1 : 1));
}

export function presetRole(name: string): JsonObject | undefined {
  return presetRoles().find((role) => nameIn(role) === name);
}

export function nameIn(body: JsonObject): string {
  return (body["metadata"] as { readonly name: string }).name;
}

export function kindFrom(text: string): ResourceKind {
  const kind = resourceKinds.find((one) => one === text);
  if (kind !== undefined) return kind;
  const meant = nearest(text, resourceKinds);
  throw new Fault("request-refused", {
    message: `there is no kind "${quote(text)}"${meant === undefined ? "" : `, did you mean ${meant}?`}`,
    hint: `the kinds are ${resourceKinds.join(", ")}`,
  });
}

/** The maintenance window needs no name, because only one exists. */
export function nameFor(kind: ResourceKind, name: string): string {
  if (kind === "cluster_maintenance_config" && name === "") return maintenanceName;
  if (name !== "") return name;
  throw new Fault("request-refused", {
    message: `which ${kind} is meant is not said`,
    hint: `\`tctl get ${kind}\` shows all`,
  });
}

export function missingResource(kind: ResourceKind, name: string): Fault {
  if (kind === "cluster_maintenance_config" && name !== maintenanceName) {
    return new Fault("resource-missing", {
      message: `there is no ${kind} "${quote(name)}": a cluster has one, which needs no name`,
      hint: `\`tctl get ${kind}\` shows it`,
    });
  }
  if (kind === "cluster_maintenance_config") {
    return new Fault("resource-missing", {
      message: "no maintenance window is configured",
      hint: "make one: `tctl create FILE`, as /usr/share/doc/svc-ent/docs/cluster.md shows it",
    });
  }
  return new Fault("resource-missing", {
    message: `there is no ${kind} "${quote(name)}"`,
    hint: `\`tctl get ${kind}\` shows what there is`,
  });
}

export function refusePreset(kind: ResourceKind, name: string): void {
  if (kind !== "role" || !isPreset(name)) return;
  throw new Fault("request-refused", {
    message: `the role ${name} is part of every cluster, and is neither changed nor deleted`,
    hint: `make one of your own from it: \`tctl get role/${name} > role.yaml\`, give it another name, \`tctl create role.yaml\``,
  });
}

/** Names that the audit log uses for other actors. */
const reserved = /^(?:root(?:@.*)?|auth|visitor|stranger|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

export function isReserved(name: string): boolean {
  return reserved.test(name);
}

export function refuseReserved(kind: ResourceKind, name: string): void {
  if (kind !== "user" || !isReserved(name)) return;
  throw new Fault("request-refused", {
    message: `nobody can be called ${name}: the name is reserved for the audit log`,
    hint: "choose another name, for example an e-mail address",
  });
}
