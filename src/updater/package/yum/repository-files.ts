import { namesIn } from "../../../machine/files/names-in.ts";
import { belowRoot } from "../../../machine/files/paths.ts";
import type { Source } from "../configuration/sources.ts";
import { readConfiguration } from "../rpm/read-configuration.ts";

const usualPriority = 99;

/** The directories where dnf looks for repository files by default. */
const directories = ["/etc/yum.repos.d", "/etc/yum/repos.d", "/etc/distro.repos.d"];
const mainFile = "/etc/dnf/dnf.conf";

/** Reads the repositories' priorities from their files, because no dnf command shows them. */
export function readPriorities(root: string): (repository: string) => number {
  const files = repositoryFiles(root);
  const sections = new Map(
    [mainFile, ...files].flatMap((path) => [...parseSections(readConfiguration(belowRoot(root, path)) ?? "")]),
  );
  return (repository) => {
    const written = sections.get(repository)?.get("priority") ?? "";
    return /^-?\d+$/.test(written) ? Number(written) : usualPriority;
  };
}

function repositoryFiles(root: string): readonly string[] {
  return directories.flatMap((directory) => {
    const names = namesIn(belowRoot(root, directory)).filter((name) => name.endsWith(".repo"));
    return names.toSorted().map((name) => `${directory}/${name}`);
  });
}

/** The enabled repositories, with their first address as written. */
export function readSources(root: string): readonly Source[] {
  return repositoryFiles(root).flatMap((file) => {
    const sections = parseSections(readConfiguration(belowRoot(root, file)) ?? "");
    const enabled = [...sections.values()].filter((section) => !/^(?:0|no|false|off)$/i.test(section.get("enabled") ?? ""));
    return enabled.map((section) => ({ file, url: urlsOf(section)[0] }));
  });
}

function urlsOf(section: ReadonlyMap<string, string>): readonly string[] {
  return ["baseurl", "metalink", "mirrorlist"].flatMap((key) => section.get(key)?.split(/[\s,]+/) ?? []);
}

/** Parses the files of repositories and plugins: `[section]`, `key = value`, and comments that start with # or ; */
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
