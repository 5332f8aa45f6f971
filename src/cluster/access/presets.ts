import type { Role, Rule } from "./judge.ts";
import { kinds, verbs, type Kind, type Verb } from "./permission.ts";

const allKinds = Object.keys(kinds) as Kind[];
const allVerbs = Object.keys(verbs) as Verb[];

/** No preset is for when agents move: that comes from a role of one's own, and so does what is secret. */
const ordinary: readonly Kind[] = allKinds.filter((kind) => kind !== "cluster_maintenance_config");
const readsOnly: readonly Verb[] = ["read", "list"];

/**
 * The roles that every cluster has. None forbids anything: a deny would beat the role of one's own that allows it. They name what
 * they allow, so that what a later release adds is not allowed by them unseen.
 */
export const presets: readonly Role[] = [
  preset("editor", [
    { resources: ordinary.filter((kind) => kind !== "ca"), verbs: allVerbs.filter((verb) => verb !== "secrets") },
  ]),
  preset("auditor", [{ resources: ordinary, verbs: readsOnly }]),
  preset("access", [{ resources: ["instance", "rollout"], verbs: readsOnly }]),
];

export function isPreset(name: string): boolean {
  return presets.some((role) => role.name === name);
}

function preset(name: string, allow: readonly Rule[]): Role {
  return { name, allow, deny: [] };
}
