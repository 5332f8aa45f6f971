import { existsSync } from "node:fs";
import { readConfiguration } from "../rpm/read-configuration.ts";
import type { Source } from "../configuration/sources.ts";
import { sectionsOf, urlsOf, variable } from "./repository-text.ts";
import { namesIn } from "../../../machine/files/names-in.ts";
import { belowRoot } from "../../../machine/files/paths.ts";
import { literally } from "../configuration/glob.ts";

export type ZypperRepository = {
  readonly alias: string;
  /** The name that zypper shows, with the host's variables not filled in. */
  readonly name: string;
  readonly isEnabled: boolean;
  readonly urls: readonly string[];
};

export type RepositoryFile = { readonly name: string; readonly text: string };

/** Reads the repository files that this user may read. zypper skips the others too. */
export function readRepositoryFiles(root: string): readonly RepositoryFile[] {
  const folder = belowRoot(root, "/etc/zypp/repos.d");
  const names = namesIn(folder).filter((name) => name.endsWith(".repo"));
  return names.flatMap((name) => {
    const text = readConfiguration(`${folder}/${name}`);
    return text === undefined ? [] : [{ name, text }];
  });
}

export function enabledRepositories(root: string): readonly ZypperRepository[] {
  return readRepositoryFiles(root)
    .flatMap(({ text }) => parseRepositories(text))
    .filter(({ isEnabled }) => isEnabled);
}

/** The enabled repositories, with their first address as written. */
export function sourcesBelow(root: string): readonly Source[] {
  return readRepositoryFiles(root).flatMap(({ name, text }) => {
    const enabled = parseRepositories(text).filter(({ isEnabled }) => isEnabled);
    return enabled.map(({ urls }) => ({ file: `/etc/zypp/repos.d/${name}`, url: urls[0] }));
  });
}

export function parseRepositories(text: string): readonly ZypperRepository[] {
  return sectionsOf(text).flatMap((section) => {
    const alias = /^\[(.+)\]/.exec(section)?.[1];
    if (alias === undefined) return [];
    const field = (key: string): string | undefined => new RegExp(`^\\s*${key}\\s*=[ \\t]*(.*?)\\s*$`, "m").exec(section)?.[1];
    const isEnabled = /^(?:1|yes|true|on|always)$/i.test(field("enabled") ?? "1");
    return [{ alias, name: field("name") ?? alias, isEnabled, urls: urlsOf(section) }];
  });
}

/** Whether zypper shows this repository: by its name with the host's variables filled in, or by its alias. */
export function isShownAs({ alias, name }: ZypperRepository, shown: string): boolean {
  const parts = name.split(variable).map(literally);
  return shown === alias || new RegExp(`^${parts.join(".*")}$`).test(shown);
}

/**
 * The repositories with lists on this host. For the others, zypper would fetch lists even with `--no-refresh`, and wait for a dead one.
 * If there are no lists at all, they are elsewhere, and zypper may use all repositories.
 */
export function fetchedAliases(root: string, repositories: readonly ZypperRepository[]): readonly string[] {
  const lists = `${cacheBelow(root)}/solv`;
  return repositories.map(({ alias }) => alias).filter((alias) => existsSync(`${lists}/${alias.replaceAll("/", "_")}/solv`));
}

/** Where zypper keeps its lists and packages. */
export function cacheBelow(root: string): string {
  return belowRoot(root, "/var/cache/zypp");
}
