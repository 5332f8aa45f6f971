import { expect } from "vitest";
import { commandsIn } from "../../../src/rules/fault/commands.ts";
import type { Host } from "../lab/host.ts";
import type { ProgramResult } from "../lab/program.ts";
import type { Scene } from "../table/scene.ts";
import type { HintRow, Typed } from "./row.ts";

/** What is followed never ends by itself. */
const followSeconds = 2;
const statusOfTimeout = 124;
/** A shell's for a program that is not there, or not to be run. */
const missing: readonly number[] = [126, 127];

/** Stages it, reads the hint, does what it says, and looks whether that helped. */
export async function playHint(row: HintRow, scene: Scene): Promise<void> {
  await row.stage(scene);
  const printed = await row.printed(scene);
  const commands = typedIn(printed);
  expect({ printed, commands }).toEqual({ printed, commands: row.names.map(expected) });
  await row.byHand?.(scene);
  const typed: Typed[] = [];
  for (const command of commands)
    typed.push({ command, result: await typeIn(scene.host, filled(command, row.fills?.(scene) ?? {})) });
  const wrong = typed.filter(({ command, result: { status } }) => !isGood(command, status, row.statuses ?? [0]));
  expect(wrong).toEqual([]);
  await row.helps(scene, typed);
}

function expected(name: string | RegExp): unknown {
  return typeof name === "string" ? name : expect.stringMatching(name);
}

/** What lifts a stay may be a command as a whole. */
function typedIn(printed: string): readonly string[] {
  const marked = commandsIn(printed);
  return marked.length === 0 && /^(?:sudo )?svc-upgrade [^;]*$/.test(printed) ? [printed] : marked;
}

function filled(command: string, fills: Readonly<Record<string, string>>): string {
  return Object.entries(fills).reduce((text, [placeholder, value]) => text.replaceAll(placeholder, value), command);
}

/** As root, who needs no `sudo` and may have none; a file that is to be edited is edited by the row. */
export function typeIn(host: Host, command: string): Promise<ProgramResult> {
  const asRoot = command.replaceAll(/(^|&& |\| )sudo /g, "$1").replace(/^sudoedit /, "test -f ");
  const line = / -fu? /.test(asRoot) ? `timeout ${followSeconds} ${asRoot}` : asRoot;
  return host.run(["sh", "-c", line], { timeoutMs: 180_000 });
}

function isGood(command: string, status: number, statuses: readonly number[]): boolean {
  if (missing.includes(status)) return false;
  return statuses.includes(status) || (/ -fu? /.test(command) && status === statusOfTimeout);
}
