import { readdirSync } from "node:fs";
import { readFileCapped } from "../../host/read-file.ts";

const capBytes: number = 1024 * 1024;
const usualPriority = 99;

/** Where dnf looks for them unless it is told otherwise. */
const directories = ["/etc/yum.repos.d", "/etc/yum/repos.d", "/etc/distro.repos.d"];
const mainFile = "/etc/dnf/dnf.conf";

/** What the files say of each repository; no command of dnf tells its priority. */
export function readPriorities(root: string): (repository: string) => number {
  const below = root === "/" ? "" : root;
  const files = [mainFile, ...directories.flatMap((directory) => filesIn(`${below}${directory}`, directory))];
  const sections = new Map(files.flatMap((path) => [...parseSections(textOf(`${below}${path}`))]));
  return (repository) => {
    const written = sections.get(repository)?.get("priority") ?? "";
    return /^-?\d+$/.test(written) ? Number(written) : usualPriority;
  };
}

/** The files of repositories and of plugins: `[section]`, `key = value`, comments with # or ; */
export function parseSections(text: string): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const sections = new Map<string, Map<string, string>>();
  let current: Map<string, string> | undefined;
  for (const line of text.split("\n")) {
    const section = /^\[(.+)\]\s*$/.exec(line)?.[1];
    if (section !== undefined) {
      current = sections.get(section) ?? new Map<string, string>();
      sections.set(section, current);
    }
    const [, key, value = ""] = /^([A-Za-z_]+)\s*[=:]\s*(.*?)\s*$/.exec(line) ?? [];
    if (key !== undefined) current?.set(key, value);
  }
  return sections;
}

function filesIn(directory: string, named: string): readonly string[] {
  try {
    return readdirSync(directory)
      .filter((name) => name.endsWith(".repo"))
      .toSorted()
      .map((name) => `${named}/${name}`);
  } catch {
    // Most hosts have only one of them.
    return [];
  }
}

function textOf(path: string): string {
  const reading = readFileCapped(path, { capBytes, links: "follow" });
  return reading.kind === "read" ? reading.text : "";
}
