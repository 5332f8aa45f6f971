import type { Role, Rule } from "./judge.ts";
import { escalate, kinds, verbs, type Kind, type Verb } from "./permission.ts";

const allKinds = Object.keys(kinds) as Kind[];
const allVerbs = Object.keys(verbs) as Verb[];

/** The kinds of the ordinary roles. No preset decides when agents move, and none shows secrets: that needs a custom role. */
const ordinary: readonly Kind[] = allKinds.filter((kind) => kind !== "cluster_maintenance_config");
const readsOnly: readonly Verb[] = ["read", "list"];

/**
 * The roles of every cluster. No preset denies, because a deny would beat a custom role that allows the same. Each permission is named, so that a later
 * release allows nothing new unseen.
 */
export const presets: readonly Role[] = [
  preset("editor", [
    {
      resources: ordinary.filter((kind) => kind !== "ca"),
      verbs: allVerbs.filter((verb) => verb !== "secrets" && verb !== escalate),
    },
    // With this, administrators can make a role that sets the window, and give it to themselves.
    { resources: ["role"], verbs: [escalate] },
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
