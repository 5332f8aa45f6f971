/**
 * npm run demo [-- amd64 | arm64]: the main job on an embedded default, in a scratch root with real apt and dpkg, a package repository
 * and a version server on loopback, started and stopped by itself. Nothing outside the scratch folder is touched. It runs from
 * source, or by the executable that `npm run build` made for an architecture.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { refuseUnknown } from "../../packaging/asked.ts";
import { emulation } from "../../packaging/emulation.ts";
import { architectures, executablePath, projectRoot } from "../../packaging/project.ts";
import { whatIsMissing, enterUserNamespace } from "./machine.ts";
import { buildRepository } from "./repository.ts";
import { prepareRoot, writeSchedule } from "./root.ts";
import { serve } from "./server.ts";

const words = process.argv.slice(2);

/** An executable of another architecture runs in an emulator. */
function program(): readonly string[] {
  const architecture = architectures.find((one) => words.includes(one));
  if (architecture === undefined) return [process.execPath, join(projectRoot, "src/svc-upgrade.ts")];
  return [...emulation(architecture), executablePath(architecture)];
}

async function main(): Promise<number> {
  refuseUnknown(words, architectures);
  const missing = await whatIsMissing();
  if (missing !== undefined) {
    console.error(`The demo cannot run here: ${missing}`);
    return 69;
  }
  if (process.getuid?.() !== 0) return enterUserNamespace([import.meta.filename, ...words]);
  const scratch = mkdtempSync(join(tmpdir(), "svc-upgrade-demo-"));
  try {
    return await show(scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function show(scratch: string): Promise<number> {
  const root = join(scratch, "root");
  const repository = join(scratch, "repository");
  mkdirSync(repository);
  await buildRepository(repository, ["15.4.5", "15.4.6"]);
  const server = await serve(repository);
  try {
    prepareRoot(root, server.url);
    console.log("A scratch root with real apt and dpkg, a package repository and a version server on loopback.\n");
    server.serveVersion("v15.4.5");
    const steps = [
      await step(root, "The cluster serves 15.4.5; the agent is not installed yet.", ["run", "--install", "--now"]),
      await step(root, "Nothing to do now.", ["dry-run"]),
    ];
    server.serveVersion("v15.4.6");
    writeSchedule(root, "closed");
    steps.push(await step(root, "The cluster moves on to 15.4.6; the maintenance window is closed.", ["dry-run"]));
    steps.push(await step(root, "A pass outside the window is refused.", ["run"]));
    writeSchedule(root, "open");
    steps.push(await step(root, "The window opens.", ["run"]));
    steps.push(await step(root, "And once more.", ["dry-run"]));
    const expected = [
      "installed (15.4.5)",
      "no upgrades available (15.4.5 == 15.4.5)",
      "an upgrade is available (15.4.5 -> 15.4.6)",
      "an upgrade is available (15.4.5 -> 15.4.6), not now: outside the maintenance window",
      "upgraded (15.4.5 -> 15.4.6)",
      "no upgrades available (15.4.6 == 15.4.6)",
    ];
    const wrong = expected.filter((line, index) => !steps[index]?.startsWith(line));
    for (const line of wrong) console.error(`The demo expected: ${line}`);
    console.log(wrong.length === 0 ? "Done: the agent went from 15.4.5 to 15.4.6 inside its window." : "The demo failed.");
    return wrong.length === 0 ? 0 : 1;
  } finally {
    await server.stop();
  }
}

/** Runs one command as an admin would see it, and gives back what it answered. */
async function step(root: string, title: string, args: readonly string[]): Promise<string> {
  console.log(`# ${title}\n$ svc-upgrade ${args.join(" ")}`);
  const [command = "", ...before] = program();
  const { stdout, exitCode } = await execa(command, [...before, ...args, "--root", root], {
    reject: false,
    stdin: "ignore",
    stderr: "inherit",
    extendEnv: false,
    env: { PATH: process.env["PATH"] ?? "" },
    timeout: 120_000,
  });
  console.log(exitCode === 0 ? `${stdout}\n` : `${stdout}\n(exit status ${exitCode})\n`);
  return exitCode === 0 ? stdout : `exit status ${exitCode}`;
}

process.exitCode = await main();
