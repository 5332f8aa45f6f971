import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { encodeState } from "../../src/updater/record/encode-state.ts";
import { emptyState, type State } from "../../src/updater/record/state.ts";
import { complaints } from "../updater/cli/documented.ts";
import { makeRoot, versionServer, type Root, type Versions } from "../updater/cli/given.ts";
import { buildRepository } from "../demo/repository.ts";
import { timeless } from "./golden.ts";
import { play, type Playing } from "./play.ts";

/** A cluster and a repository on loopback, for roots whose agent is one version behind. */
export type Stage = {
  readonly versions: Versions;
  /** An agent at 15.4.5, a cluster at 15.4.6, and a window that opens in two hours. */
  readonly outdated: () => Root;
  readonly close: () => Promise<void>;
};

/** As long on every machine as the name that stands for it: lines are wrapped by it. */
const folderPrefix = "/tmp/agent-";
export const folderName = "/srv/images/agent";

export async function openStage(): Promise<Stage> {
  const repository = mkdtempSync(join(tmpdir(), "svc-upgrade-told-"));
  await buildRepository(repository, ["15.4.5", "15.4.6"]);
  const versions = await versionServer(repository);
  const roots: string[] = [];
  return {
    versions,
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
};

/** What scripts see of a scene: the exit status and the answers, each as its schema allows; and the journal. */
export type Reached = {
  readonly exit: number;
  readonly answer: object;
  readonly status: object;
  readonly journal: string;
};

export async function reached(stage: Stage, { stage: prepare, command = ["run"], playing }: Scene): Promise<Reached> {
  const root = stage.outdated();
  await prepare?.(root, stage);
  const said = await play([...command, "--json", "--root", root.path], playing);
  const status = await play(["status", "--json", "--root", root.path]);
  return {
    exit: said.status,
    answer: parseAnswer("answer", said.stdout),
    status: parseAnswer("status", status.stdout),
    journal: timeless(said.stderr, namesOf(stage, root)),
  };
}

/** What people see of a scene: the journal, the answer of the command, and `status` afterwards. */
export async function seen(stage: Stage, { stage: prepare, command = ["run"], playing }: Scene): Promise<string> {
  const root = stage.outdated();
  await prepare?.(root, stage);
  const said = await play([...command, "--root", root.path], playing);
  return screens(stage, root, { ...said, command: command.join(" ") });
}

type Said = { readonly command: string; readonly status: number; readonly stdout: string; readonly stderr: string };

export async function screens(stage: Stage, root: Root, { command, status, stdout, stderr }: Said): Promise<string> {
  const after = await play(["status", "--root", root.path]);
  const parts = [
    `$ journalctl -u svc-upgrade\n${stderr}`,
    `$ svc-upgrade ${command}    # ends with ${status}\n${stdout}`,
    `$ svc-upgrade status    # ends with ${after.status}\n${after.stdout}`,
  ];
  return timeless(parts.join("\n"), namesOf(stage, root));
}

/** What the program answered, once it has been held against its schema. */
export function parseAnswer(schema: "answer" | "status", stdout: string): object {
  const said = JSON.parse(stdout) as object;
  expect(complaints("fault" in said && !("decision" in said || "next" in said) ? "fault" : schema, said)).toEqual([]);
  return said;
}

function namesOf({ versions }: Stage, { path }: Root): Readonly<Record<string, string>> {
  return { [path]: folderName, [versions.url]: "https://proxy.example.com", [new URL(versions.url).host]: "proxy.example.com" };
}
