import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomOf } from "../fuzz/random.ts";
import { alone } from "../system/lab/agent-set.ts";
import type { Host } from "../system/lab/host.ts";
import { walkGoldenPath } from "./golden.ts";
import { endOfPass } from "./pass.ts";
import type { Play } from "./play.ts";
import { Missed, type Scenario } from "./scenario.ts";
import { raiseStage, type Stage } from "./stage.ts";
import { unlessStopped } from "./unless-stopped.ts";

export type Result = Play & { readonly seconds: number } & (
    | { readonly kind: "survived"; readonly remark: string }
    | { readonly kind: "lost"; readonly why: string; readonly evidence: string }
    | { readonly kind: "not staged"; readonly why: string }
  );

/** Where it was missed, the moment may come the next time. */
const mostAttempts = 5;
/** The last of what a host's units said. */
const journalLines = 400;

export type Playing = {
  readonly tell: (result: Result) => void;
  readonly mayBegin: () => boolean;
  readonly stop: AbortSignal;
};

/** One after the other on one host; after one that lost it, on a fresh one. Of what is given up nothing is told. */
export async function playSeries(plays: readonly Play[], { tell, mayBegin, stop }: Playing): Promise<void> {
  let stage: Stage | undefined;
  try {
    for (const play of plays) {
      if (!mayBegin()) return;
      const began = performance.now();
      const seconds = (): number => (performance.now() - began) / 1000;
      try {
        const raised = (stage ??= await raiseWarm(play.scenario));
        const remark = await unlessStopped(raised.host, stop, () => playOne(raised, play));
        tell({ ...play, kind: "survived", seconds: seconds(), remark });
      } catch (failure) {
        if (stop.aborted) return;
        if (failure instanceof Missed) tell({ ...play, kind: "not staged", seconds: seconds(), why: failure.message });
        else {
          const evidence = await keepEvidence(stage?.host, play, failure);
          tell({ ...play, kind: "lost", seconds: seconds(), why: firstLine(failure), evidence });
        }
        const lost = stage;
        stage = undefined;
        await lost?.host.stop();
      }
    }
  } finally {
    await stage?.host.stop();
  }
}

/** A pass that goes well, before anything else: what is found afterwards is the fault's. */
async function raiseWarm(scenario: Scenario): Promise<Stage> {
  const stage = await raiseStage(scenario).catch((cause: unknown) => {
    // A machine that is too busy to boot a host says nothing of what would have become of it.
    throw new Missed(`no host could be raised: ${firstLine(cause)}`, { cause });
  });
  try {
    await walkGoldenPath(stage);
    return stage;
  } catch (failure) {
    await stage.host.stop();
    throw failure;
  }
}

async function playOne(stage: Stage, { scenario, seed }: Play): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    // Each has its own stream of chance: it is the same whatever is played before it.
    const random = randomOf(seed + attempt - 1, hash(`${scenario.name} ${scenario.family}`));
    try {
      const remark = (await scenario.play(stage, random)) ?? "";
      await walkGoldenPath(stage);
      return remark;
    } catch (failure) {
      if (!(failure instanceof Missed) || attempt === mostAttempts) throw failure;
      // The pass that was to be killed lives.
      await endOfPass(stage.host);
      await walkGoldenPath(stage);
    }
  }
}

async function keepEvidence(host: Host | undefined, { scenario, seed }: Play, failure: unknown): Promise<string> {
  const { row, name, family, set = alone } = scenario;
  const directory = join(tmpdir(), "svc-upgrade-faults", String(seed));
  await mkdir(directory, { recursive: true });
  const file = join(directory, `${row}-${family}-${name}.txt`.replaceAll(/[^\w.-]+/g, "-"));
  const asked = [
    ["cat", "/var/lib/svc-upgrade-decide/state.json"],
    ["systemctl", "--no-pager", "status", set.unit, "svc-upgrade.service"],
    ["journalctl", "--no-pager", "--quiet", `--lines=${journalLines}`, "--output=short-iso-precise"],
  ];
  const told = await Promise.all(asked.map((argv) => answer(host, argv)));
  const trace = failure instanceof Error ? failure.stack : String(failure);
  await writeFile(file, `${[trace, ...told].join("\n\n")}\n`);
  return file;
}

/** A host that is lost may be off. */
async function answer(host: Host | undefined, argv: readonly string[]): Promise<string> {
  return host === undefined ? "there is no host" : host.enter(argv).then(({ stdout }) => stdout, String);
}

function firstLine(failure: unknown): string {
  return (failure instanceof Error ? failure.message : String(failure)).split("\n").slice(0, 6).join(" ").trim();
}

/** FNV-1a. */
function hash(text: string): number {
  let mixed = 0x811c9dc5;
  for (const character of text) mixed = Math.imul(mixed ^ character.charCodeAt(0), 0x01000193);
  return mixed >>> 0;
}
