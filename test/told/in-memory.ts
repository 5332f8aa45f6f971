import { answerPass } from "../../src/updater/cli/commands/run.ts";
import { textLog } from "../../src/machine/logging/text-log.ts";
import { runPass } from "../../src/updater/pass/pass.ts";
import type { Asked } from "../../src/updater/plan/host-policy.ts";
import { emptyState, type PassRecord, type State } from "../../src/updater/record/state.ts";
import type { Settings } from "../../src/rules/settings/settings.ts";
import { fakeHost, settings as settingsOf, type FakeHost, type FakeOptions } from "../updater/pass/given.ts";
import { timeless } from "./golden.ts";
import { now, parseAnswer, remember, screens, type Stage } from "./stage.ts";

/** A pass over a host in memory, for what only a booted host, or a package manager in trouble, brings about. */
export type Played = {
  readonly host: FakeHost;
  readonly settings?: Settings;
  readonly state?: State;
  readonly asked?: Asked;
};

/** Long enough ago that a slow machine tells the same number of minutes. */
const agoSeconds = 75;

/** A minute ago and outside the window, for what `status` says of it afterwards on a root of real files. */
export function hostNow(options: FakeOptions = {}): FakeHost {
  const opens = now() + 7230;
  const schedule = { kind: "windows", windows: [{ start: opens, stop: opens + 3600 }] } as const;
  return fakeHost({ at: now() - agoSeconds, schedule, ...options });
}

type Passed = { readonly record: PassRecord; readonly journal: string };

async function passOver(played: Played): Promise<Passed> {
  const { host, settings = settingsOf(), state = emptyState, asked = { when: "now", absent: "stop" } } = played;
  const record = await runPass({ settings, asked, state }, host.ports);
  let journal = "";
  const log = textLog({ threshold: "info", reader: "person" }, (line) => (journal += line));
  for (const { level, sentence, fields } of host.lines) log(level, sentence, fields);
  return { record, journal };
}

/** The record of that pass, whose answer its schema allows, and the journal. */
export async function reachedInMemory(played: Played): Promise<Passed> {
  const { record, journal } = await passOver(played);
  parseAnswer("answer", answerPass(record, "json").stdout);
  return { record, journal: timeless(journal, {}) };
}

/** What people see of that pass: `status` afterwards on a root of real files. */
export async function seenInMemory(stage: Stage, played: Played): Promise<string> {
  const { record, journal } = await passOver(played);
  const root = stage.outdated();
  remember(root, { ...played.host.saved.at(-1), clock: undefined });
  return screens(stage, root, { ...answerPass(record, "line"), command: "run", stderr: journal });
}
