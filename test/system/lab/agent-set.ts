import { agentScripts, buildAgent, installAgent, type AgentOptions } from "./agent.ts";
import type { Host } from "./host.ts";
import { buildPackage, packageVersion } from "./package.ts";
import type { Relations } from "./package-recipe.ts";

/** The packages that are moved when the agent is. */
export type AgentSet = {
  /** The agent's own package first. */
  readonly names: readonly string[];
  readonly unit: string;
  /** A program that says its version when it is given the word "version". */
  readonly binary?: string;
  /** What the package manager calls a version that is served. */
  readonly packageVersion: (host: Host, version: string) => string;
  /** The answer is their paths, for `repository.publish`. */
  readonly build: (host: Host, options: AgentOptions) => Promise<readonly string[]>;
  /** The first version on a host; it is published. */
  readonly install: (host: Host, version: string) => Promise<void>;
  /** Debian's packages that hosts do not have otherwise. */
  readonly besides?: readonly string[];
  /** What the updater has to be told of them. */
  readonly settings?: string;
};

const ofLab = { unit: "svc.service", binary: "/usr/bin/svc", packageVersion, install: installAgent } as const;

/** The agent's package, which needs no other. */
export const alone: AgentSet = {
  ...ofLab,
  names: ["svc-ent"],
  build: async (host, options) => [await buildAgent(host, options)],
};

const lockedCompanions = ["svc-ent-bin", "svc-ent-data"];

/** Its dependencies are locked to its version, as those of apache2. */
export const locked: AgentSet = {
  ...ofLab,
  names: ["svc-ent", ...lockedCompanions],
  build: (host, options) => {
    const version = versionOf(host, options);
    const depends = [...lockedCompanions.map((name) => `${name} (= ${version})`), ...(options.depends ?? [])];
    return Promise.all([
      buildAgent(host, { ...options, depends }),
      ...lockedCompanions.map((name) => buildCompanion(host, { name, version, scripts: unlessIll(options.scripts) })),
    ]);
  },
};

/** Its companion breaks every agent before it, as that of mariadb-server. */
export const breaking: AgentSet = {
  ...ofLab,
  names: ["svc-ent", "svc-ent-libs"],
  build: (host, options) => {
    const version = versionOf(host, options);
    const [depends, breaks] = [[`svc-ent-libs (>= ${version})`], [`svc-ent (<< ${version})`]];
    return Promise.all([
      buildAgent(host, { ...options, depends }),
      buildCompanion(host, { name: "svc-ent-libs", version, breaks, scripts: unlessIll(options.scripts) }),
    ]);
  },
};

/** All that any of them may have on a host. */
export const membersOfAny: readonly string[] = [...new Set([alone, locked, breaking].flatMap(({ names }) => names))];

export type CompanionOptions = Relations & Pick<AgentOptions, "scripts"> & { readonly name: string; readonly version: string };

/** A package that has a file of its version, which it alone has. */
export function buildCompanion(host: Host, { scripts = "silent", ...recipe }: CompanionOptions): Promise<string> {
  const version = packageVersion(host, recipe.version);
  const files = { [releaseFile(recipe.name)]: { content: `${version}\n` } };
  return buildPackage(host, { ...recipe, version, files, scripts: agentScripts(host.family, scripts) });
}

export function releaseFile(name: string): string {
  return `/usr/lib/${name}/release`;
}

function versionOf(host: Host, options: AgentOptions): string {
  return options.packageVersion ?? packageVersion(host, options.version);
}

/** What goes wrong with a version goes wrong with the agent. */
function unlessIll(scripts: AgentOptions["scripts"]): NonNullable<AgentOptions["scripts"]> {
  return scripts === "unhurried" ? scripts : "silent";
}

/** Each as the package database has it, "svc-ent 15.4.6 installed": a broken one shows, and one that is there twice. */
export async function membersIn(host: Host, names: readonly string[]): Promise<readonly string[]> {
  const argv =
    host.family === "apt"
      ? ["dpkg-query", "--show", "--showformat", "${Package} ${Version} ${db:Status-Status}\\n"]
      : ["rpm", "--query", "--queryformat", "%{NAME} %{EVR} installed\\n"];
  // rpm tells of a package as often as it is named.
  const { stdout } = await host.enter([...argv, ...new Set(names)]);
  const isThere = (line: string): boolean =>
    names.some((name) => line.startsWith(`${name} `)) && !line.endsWith(" not-installed");
  return stdout.split("\n").filter(isThere).toSorted();
}
