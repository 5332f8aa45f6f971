import type { Planned } from "../manager/manager.ts";

/** A simulation's plan. */
export type AptPlan = { readonly installed: readonly Planned[]; readonly removed: readonly string[] };

export function parsePlan(output: string): AptPlan {
  const installed: Planned[] = [];
  const removed: string[] = [];
  for (const line of output.split("\n")) {
    const [, name, version = "", architecture] = /^Inst (\S+) (?:\[[^\]]*\] )?\((\S+) (?:.*\[([a-z0-9-]+)\]\))?/.exec(line) ?? [];
    if (name !== undefined) installed.push({ name: bareName(name), version, architecture });
    const remove = /^(?:Remv|Purg) (\S+)/.exec(line);
    if (remove !== null) removed.push(bareName(remove[1] ?? ""));
  }
  return { installed, removed };
}

/**
 * The planned packages that the wanted one does not need, directly or through other planned ones. Leaves out those that are locked to one version of
 * a needed package, and so cannot stay. `control`: the output of `apt-cache show` for the planned versions.
 */
export function unrelatedTo(name: string, plan: AptPlan, control: string): readonly string[] {
  const paragraphs = control.split(/\n\s*\n/).map(parseParagraph);
  const reached = new Set([name]);
  // Each round adds a package, or is the last.
  for (let size = 0; size !== reached.size;) {
    size = reached.size;
    const needed = new Set(paragraphs.filter((paragraph) => reached.has(paragraph.name)).flatMap(({ needs }) => needs));
    for (const paragraph of paragraphs) {
      const isNeeded = paragraph.is.some((provided) => needed.has(provided));
      if (isNeeded || paragraph.lockedTo.some((locked) => reached.has(locked))) reached.add(paragraph.name);
    }
  }
  return plan.installed.filter((planned) => !reached.has(planned.name)).map((planned) => planned.name);
}

type Paragraph = {
  readonly name: string;
  readonly is: readonly string[];
  readonly needs: readonly string[];
  /** The packages of which it needs exactly one version. */
  readonly lockedTo: readonly string[];
};

function parseParagraph(text: string): Paragraph {
  const field = (key: string): string => new RegExp(`^${key}: (.*)$`, "m").exec(text)?.[1] ?? "";
  const name = field("Package");
  return {
    name,
    is: [name, ...namesIn(field("Provides"))],
    needs: [...namesIn(field("Pre-Depends")), ...namesIn(field("Depends"))],
    lockedTo: [
      ...`${field("Pre-Depends")}, ${field("Depends")}`.matchAll(
        /(?:^|, *)([a-z0-9][a-z0-9+.-]*)(?::[a-z0-9-]+)? \(= [^)]*\)(?=,|$)/g,
      ),
    ].map(([, locked = ""]) => locked),
  };
}

/** Reads the names in `a (>= 1), b | c:any`. */
function namesIn(relation: string): readonly string[] {
  return relation
    .split(/[,|]/)
    .map((part) => bareName(/^\S+/.exec(part.trim())?.[0] ?? ""))
    .filter((part) => part !== "");
}

function bareName(name: string): string {
  return name.replace(/:.*$/, "");
}
