import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { encodeState } from "../../src/record/encode-state.ts";
import { emptyState, type State } from "../../src/record/state.ts";
import { makeRoot, versionServer, type Root, type Versions } from "../cli/given.ts";
import { buildRepository } from "../demo/repository.ts";
import { timeless } from "./golden.ts";
import { play, type Playing } from "./play.ts";
import { parseAnswer, rowsOf, type Told } from "./told.ts";

/** A cluster and a repository on loopback, for roots whose agent is one version behind. */
export type Stage = {
  readonly versions: Versions;
  /** The repository's folder. */
  readonly repository: string;
  /** An agent at 15.4.5, a cluster at 15.4.6, and a window that opens in two hours. */
  readonly outdated: () => Root;
  /** The rows of `status` on such a host before its first pass; they have a golden of their own. */
  readonly usual: readonly string[];
  readonly close: () => Promise<void>;
};

/** As long on every machine as the name that stands for it: lines are wrapped by it. */
const folderPrefix = "/tmp/agent-";
const folderName = "/srv/images/agent";

export async function openStage(): Promise<Stage> {
  const repository = mkdtempSync(join(tmpdir(), "svc-upgrade-told-"));
  await buildRepository(repository, ["15.4.5", "15.4.6"]);
  const versions = await versionServer(repository);
  const roots: string[] = [];
  const usual: string[] = [];
  const stage: Stage = {
    versions,
    repository,
    usual,
    outdated() {
      const root = makeRoot("15.4.5", mkdtempSync(folderPrefix));
      roots.push(root.path);
      root.write("etc/svc-upgrade/10-test.yaml", `endpoint: ${versions.url}\n`);
      root.write("etc/apt/sources.list.d/test.list", `deb [trusted=yes] ${versions.url}/packages ./\n`);
      root.write("etc/svc-upgrade.d/schedule", windowFrom(7230));
      versions.serve({ version: "v15.4.6" });
      return root;
    },
    async close() {
      await versions.close();
      for (const path of [repository, ...roots]) rmSync(path, { recursive: true, force: true });
    },
  };
  usual.push(...rowsOf(await usualScreen(stage)));
  return stage;
}

export async function usualScreen(stage: Stage): Promise<string> {
  const root = stage.outdated();
  const { stdout } = await play(["status", "--root", root.path]);
  return timeless(stdout, namesOf(stage, [root]));
}

export function now(): number {
  return Math.floor(Date.now() / 1000);
}

export function windowFrom(away: number, length: number = 3600): string {
  return `${now() + away} ${now() + away + length}\n`;
}

export function remember(root: Root, state: Partial<State>): void {
  root.write("var/lib/svc-upgrade-decide/state.json", encodeState({ ...emptyState, ...state }));
}

/** What is done to a host before a pass, and what is typed there. */
export type Scene = {
  readonly stage?: ((root: Root, stage: Stage) => void | Promise<void>) | undefined;
  readonly command?: readonly string[];
  readonly playing?: Playing;
  /** What goes by before `status` is asked. */
  readonly meanwhile?: () => Promise<void>;
};

/** What the command says on each of its ways out, and what `status` says afterwards. */
export async function told(stage: Stage, { stage: prepare, command = ["run"], playing, meanwhile }: Scene): Promise<Told> {
  const roots = [stage.outdated(), stage.outdated()] as const;
  for (const root of roots) await prepare?.(root, stage);
  const names = namesOf(stage, roots);
  const [said, json] = await Promise.all([
    play([...command, "--root", roots[0].path], playing),
    play([...command, "--json", "--root", roots[1].path], playing),
  ]);
  await meanwhile?.();
  expect(json.status).toBe(said.status);
  const status = await statusAfter(stage, roots);
  return {
    words: [
      `$ journalctl -u svc-upgrade\n${timeless(said.stderr, names)}`,
      `$ svc-upgrade ${command.join(" ")}    # ends with ${said.status}\n${timeless(said.stdout, names)}`,
      ...status.words,
    ],
    json: { answer: parseAnswer("answer", json.stdout, names), ...status.json },
  };
}

/** What `status` says, in words and in JSON. */
export async function statusAfter(stage: Stage, roots: readonly [Root, Root]): Promise<Told> {
  const names = namesOf(stage, roots);
  const [words, json] = await Promise.all([
    play(["status", "--root", roots[0].path]),
    play(["status", "--json", "--root", roots[1].path]),
  ]);
  expect(json.status).toBe(words.status);
  return {
    words: [`$ svc-upgrade status    # ends with ${words.status}\n${timeless(words.stdout, names)}`],
    json: { status: parseAnswer("status", json.stdout, names) },
  };
}

export function namesOf({ versions }: Stage, roots: readonly Root[]): Readonly<Record<string, string>> {
  return {
    ...Object.fromEntries(roots.map(({ path }) => [path, folderName])),
    [versions.url]: "https://proxy.example.com",
    [new URL(versions.url).host]: "proxy.example.com",
  };
}
