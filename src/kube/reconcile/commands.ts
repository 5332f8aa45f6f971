import type { Given } from "../../machine/command-line/row.ts";
import { openLog } from "../../machine/logging/open-log.ts";
import type { Log } from "../../machine/logging/log.ts";
import type { StartedProgram } from "../../machine/program/started.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { chooseObject, findObject } from "../objects/choose-object.ts";
import { updaterLabel } from "../objects/labelled-keys.ts";
import type { Ask } from "../objects/seen.ts";
import { commonOf, type EachObject, type Followed, type UpdaterSettings } from "../objects/settings.ts";
import { ask } from "./ask.ts";
import { dryRun as tryLooks } from "./dry-run.ts";
import { loadSettings } from "./load-settings.ts";
import { run as runUntilStopped } from "./start.ts";
import { status as tellStatus, type Format } from "./status.ts";
import { objectsOf } from "./watching.ts";

/** What a command needs, with the path of the settings file. */
export type Called = StartedProgram & { readonly config: string };

/** The status for --exit-code, the same as svc-upgrade's. */
const statusAvailable = 100;

export async function start(called: Called, given: Given): Promise<number> {
  const { environment, stopping } = called;
  const log = await logOf(called, given);
  await runUntilStopped(await settingsOf(called), { environment, log, stopping });
  return 0;
}

export async function check(called: Called): Promise<number> {
  const followed = await settingsOf(called);
  called.out(`${called.config} is right: ${listed(followed)}, in ${commonOf(followed).namespace}\n`);
  return 0;
}

export async function status(called: Called, given: Given): Promise<number> {
  const { out, stopping } = called;
  const followed = await settingsOf(called);
  const [typed] = given.arguments;
  const asked: Followed =
    typed === undefined ? followed : { kind: "settings", settings: [chooseObject(await objectsOf(followed, stopping), typed)] };
  out(await tellStatus(asked, formatOf(given), stopping));
  return 0;
}

export async function dryRun(called: Called, given: Given): Promise<number> {
  const { environment, stopping, out } = called;
  const [typed] = given.arguments;
  const log = await logOf(called, given);
  const followed = await settingsOf(called);
  const choose = (each: EachObject): readonly UpdaterSettings[] => (typed === undefined ? each : [chooseObject(each, typed)]);
  const { answer, isAvailable } = await tryLooks(followed, formatOf(given), { choose, environment, log, stopping });
  out(answer);
  return given.isSet("exitCode") && isAvailable ? statusAvailable : 0;
}

export function run(called: Called, given: Given): Promise<number> {
  if (given.isSet("now")) return asking("runNow", called, given);
  throw new Fault("usage", {
    message: "the updater looks by itself all the time: `run` is for what it would wait with",
    hint: "see what it would do: `svc-kube-updater dry-run`; to have it done now: `svc-kube-updater run --now`",
  });
}

export function retry(called: Called, given: Given): Promise<number> {
  return asking("retry", called, given);
}

export function rollback(called: Called, given: Given): Promise<number> {
  return asking("rollback", called, given);
}

async function asking(asked: Ask, called: Called, given: Given): Promise<number> {
  const { out, stopping } = called;
  const each = await objectsOf(await settingsOf(called), stopping);
  const { object, version: named } = typedFor(asked, given.arguments, each);
  const settings = chooseObject(each, object);
  out(await ask({ ask: asked, version: named }, formatOf(given), { settings, stopping }));
  return 0;
}

function settingsOf({ config, environment }: Called): Promise<Followed> {
  return loadSettings(config, environment);
}

function logOf({ error }: Called, given: Given): Promise<Log> {
  return openLog({ logFormat: given.text("logFormat"), logLevel: given.text("logLevel") }, { error, stderrIs: "other" });
}

function formatOf({ format }: Given): Format {
  return format === "json" ? "json" : "screen";
}

function listed(followed: Followed): string {
  if (followed.kind === "labelled") {
    const { updater, container } = followed.labelled;
    return `each StatefulSet and Deployment with the label ${updaterLabel}=${updater}, container ${container}`;
  }
  return followed.settings.map(({ object: { kind, name, container } }) => `${kind} ${name}, container ${container}`).join("; ");
}

type Typed = { readonly object: string | undefined; readonly version: string | undefined };

/** In `retry 15.4.6` the only word is the version, unless an object has that name. */
function typedFor(asked: Ask, [first, second]: readonly string[], each: EachObject): Typed {
  const isVersion = asked === "retry" && first !== undefined && second === undefined && !first.includes("/");
  if (isVersion && findObject(each, first) === undefined) return { object: undefined, version: first };
  return { object: first, version: second };
}
