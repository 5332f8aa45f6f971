import { databaseBelow } from "./database.ts";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { quote } from "../../../rules/text/quote.ts";
import { errnoWords } from "../../../machine/files/errno.ts";
import type { BothSets } from "../manager/manager.ts";
import { withPrivateDirectory } from "../call/private-directory.ts";
import { controlFileArgv } from "./argv.ts";
import type { AptCalls } from "./calls.ts";
import { contentsIn, pathsOf } from "./contents.ts";
import { culpritsIn } from "./culprits.ts";
import { simulateOnArgv } from "./offline-argv.ts";
import { parsePlan } from "./plan.ts";

type Asking = Pick<AptCalls, "ask" | "root">;

const longestWhy = 200;

/**
 * Why a rollback after the move would fail. Asks apt for a plan on a copy of dpkg's status after the move, and checks for conflicting files, which
 * apt does not.
 */
export async function objectionToBack(calls: Asking, sets: BothSets): Promise<string | undefined> {
  return (await relationAgainst(calls, sets)) ?? fileAgainst(calls, sets);
}

async function relationAgainst({ ask, root }: Asking, { after, before }: BothSets): Promise<string | undefined> {
  const controls = await Promise.all(after.map(async ({ path }) => (await ask(controlFileArgv(path))).stdout));
  return withPrivateDirectory(async (directory) => {
    const status = join(directory, "status");
    try {
      writeFileSync(status, statusAfter(readFileSync(`${databaseBelow(root)}/status`, "utf8"), controls), { mode: 0o600 });
    } catch (thrown) {
      return `whether it could be put back cannot be found out: ${errnoWords(thrown)}`;
    }
    const { status: ended, stdout, output } = await ask(simulateOnArgv(status, before));
    if (ended !== 0) return culpritsIn(output) ?? quote(firstError(output), longestWhy);
    const { removed } = parsePlan(stdout);
    return removed.length === 0 ? undefined : `it would remove ${removed.join(", ")}`;
  });
}

/** The text of dpkg's status after these packages are installed. */
export function statusAfter(status: string, controls: readonly string[]): string {
  const names = new Set(controls.map(nameIn));
  const others = status.split(/\n\n+/).filter((paragraph) => paragraph !== "" && !names.has(nameIn(paragraph)));
  const arrived = controls.map((control) => `${control.trimEnd()}\nStatus: install ok installed`);
  return `${[...others, ...arrived].join("\n\n")}\n`;
}

function nameIn(control: string): string {
  return /^Package:[ \t]*(\S+)/im.exec(control)?.[1] ?? "";
}

function firstError(output: string): string {
  return output.split("\n").find((line) => line.startsWith("E: ")) ?? "apt makes no plan for it, and does not say why";
}

/** Finds a file that would conflict. A package that the move added stays, and dpkg lets no package take another's file. */
async function fileAgainst(calls: Asking, { after, before }: BothSets): Promise<string | undefined> {
  const added = after.filter(({ name }) => before.every((one) => one.name !== name));
  const owned = new Map<string, string>();
  for (const one of added) for (const path of await contentsIn(calls, one.path)) owned.set(path, one.name);
  if (owned.size === 0) return undefined;
  for (const { name } of before) {
    const path = (await pathsOf(calls, name)).find((found) => owned.has(found));
    if (path !== undefined) return `${quote(path, longestWhy)} is of ${name}, and ${owned.get(path)}, which is added, has it too`;
  }
  return undefined;
}
