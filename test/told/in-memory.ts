import { answerPass } from "../../src/cli/commands/run.ts";
import { textLog } from "../../src/host/text-log.ts";
import { runPass } from "../../src/pass/pass.ts";
import type { Asked } from "../../src/plan/policy.ts";
import { emptyState, type State } from "../../src/record/state.ts";
import type { Settings } from "../../src/settings/settings.ts";
import { fakeHost, settings as settingsOf, type FakeHost, type FakeOptions } from "../pass/given.ts";
import { timeless } from "./golden.ts";
import { namesOf, now, remember, statusAfter, type Stage } from "./stage.ts";
import { parseAnswer, type Told } from "./told.ts";

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

/** What that pass logs and answers, and what `status` says of it. */
export async function toldOfPass(stage: Stage, played: Played): Promise<Told> {
  const { host, settings = settingsOf(), state = emptyState, asked = { when: "now", absent: "stop" } } = played;
  const roots = [stage.outdated(), stage.outdated()] as const;
  const names = namesOf(stage, roots);
  const record = await runPass({ settings, asked, state }, host.ports);
  let journal = "";
  const log = textLog({ threshold: "info", reader: "person" }, (line) => (journal += line));
  for (const { level, sentence, fields } of host.lines) log(level, sentence, fields);
  const present = host.present();
  const schedule = await host.ports.readSchedule();
  for (const root of roots) {
    const packages = root.read("var/lib/dpkg/status");
    const there = present.kind === "present" ? present.packageVersion : "15.4.5";
    root.write("var/lib/dpkg/status", packages.replace("Version: 15.4.5", `Version: ${there}`));
    if (schedule.kind === "windows")
      root.write("etc/svc-upgrade.d/schedule", schedule.windows.map(({ start, stop }) => `${start} ${stop}\n`).join(""));
    remember(root, { ...host.saved.at(-1), clock: undefined });
  }
  const { status, stdout } = answerPass(record, "line");
  const after = await statusAfter(stage, roots);
  return {
    words: [
      `$ journalctl -u svc-upgrade\n${timeless(journal, names)}`,
      `$ svc-upgrade run    # ends with ${status}\n${timeless(stdout, names)}`,
      ...after.words,
    ],
    json: { answer: parseAnswer("answer", answerPass(record, "json").stdout, names), ...after.json },
  };
}
