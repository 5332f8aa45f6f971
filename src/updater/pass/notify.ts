import { createHash } from "node:crypto";
import { hostname } from "node:os";
import { asFault } from "../../rules/fault/explain.ts";
import type { Log } from "../../machine/logging/log.ts";
import { mask } from "../../machine/logging/mask-secrets.ts";
import { belowRoot, type Paths } from "../../machine/files/paths.ts";
import { readText } from "../../machine/files/read-file.ts";
import { encodeEvent, type NotifyEvent } from "../record/event.ts";
import { addLost } from "../record/history.ts";
import { newsIn } from "../record/news.ts";
import { expire, heard, nextOf, put, sent, type Lost, type Notification } from "../record/notifications.ts";
import type { State } from "../record/state.ts";
import { eventOf, type EventScene } from "../sentences/event.ts";
import type { Settings } from "../../rules/settings/settings.ts";
import { readWaiting, writeWaiting } from "../store/notifications-file.ts";
import { stateIn, writeState } from "../store/state-file.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { Actors, Notifier } from "./ports.ts";

export type Notifying = {
  readonly paths: Paths;
  readonly settings: Settings;
  readonly log: Log;
  readonly now: UnixSeconds;
  readonly stopping: AbortSignal;
  /** Undefined where no units can be started. */
  readonly notifier: Notifier | undefined;
} & Pick<Actors, "changeHistory">;

/**
 * Sends notifications about what the pass has recorded. Does not wait for the commands: a later pass asks how they ended. A failure is a warning and
 * never ends the pass.
 */
export async function notify(notifying: Notifying): Promise<void> {
  const { log, settings, notifier } = notifying;
  try {
    if (settings.notify.command.length === 0) return await forget(notifying);
    const waiting = await takeUp(notifying);
    if (notifier !== undefined && waiting.length > 0) await send(waiting, notifier, notifying);
  } catch (thrown) {
    const { message, hint } = asFault(thrown);
    log("warning", `notifications wait for the next pass: ${message}; ${hint}`, {});
  }
}

/** Drops all waiting events, because notifications are switched off. */
async function forget(notifying: Notifying): Promise<void> {
  const { paths } = notifying;
  const reading = readWaiting(paths);
  const waiting = reading.kind === "waiting" ? reading.waiting : [];
  await tellLost(
    waiting.map((notification) => ({ notification, why: "notify.command is not set any more" })),
    notifying,
  );
  writeWaiting(paths, []);
  writeState(paths, { ...stateIn(paths), told: undefined });
}

/**
 * Returns all notifications to send, with new ones. They are queued before their events count as told, so that none is lost if the pass is killed in
 * between.
 */
async function takeUp(notifying: Notifying): Promise<readonly Notification[]> {
  const { paths, log, notifier } = notifying;
  const state = stateIn(paths);
  const { news, told } = newsIn(state);
  const reading = readWaiting(paths);
  if (reading.kind === "unreadable")
    log("warning", `the notifications that waited are lost: ${reading.why}`, { path: paths.notifications });
  const before = reading.kind === "waiting" ? reading.waiting : [];
  if (notifier === undefined && news.length > 0) {
    log(
      "notice",
      "notify.command is not started here: it is a unit's, and systemd starts none below another root or where it does not run",
      {},
    );
  }
  const scene = sceneOf(state, notifying);
  const events = notifier === undefined ? [] : news.map((one) => masked(eventOf(one, scene)));
  const { waiting, lost } = put(before, events);
  if (waiting.length !== before.length || lost.length > 0 || reading.kind === "unreadable") writeWaiting(paths, waiting);
  await tellLost(lost, notifying);
  if (JSON.stringify(told) !== JSON.stringify(state.told)) writeState(paths, { ...state, told });
  return waiting;
}

async function send(before: readonly Notification[], notifier: Notifier, notifying: Notifying): Promise<void> {
  const { paths, now, stopping } = notifying;
  const known = await hear(before, notifier, notifying);
  const { waiting: kept, lost } = expire(known, now);
  await tellLost(lost, notifying);
  const next = stopping.aborted ? [] : nextOf(kept);
  // Writes them down as sent before they start: if the pass is killed in between, they are tried again.
  const marked = next.reduce((all, { event: { id } }) => sent(all, id), kept);
  writeWaiting(paths, marked);
  writeWaiting(paths, await startAll(next, marked, { notifier, notifying }));
}

/** If one cannot be started, the others wait: they would probably fail for the same reason. */
async function startAll(
  next: readonly Notification[],
  marked: readonly Notification[],
  starting: Starting,
): Promise<readonly Notification[]> {
  let waiting = marked;
  let isGoingOn = true;
  for (const one of next) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, and none after one that fails
    const now: "started" | Notification = isGoingOn ? await start(one, starting) : one;
    isGoingOn = now === "started";
    if (now !== "started") waiting = waiting.map((other) => (other.event.id === one.event.id ? now : other));
  }
  return waiting;
}

async function hear(waiting: readonly Notification[], { ends }: Notifier, { log }: Notifying): Promise<readonly Notification[]> {
  const ids = waiting.filter(({ isUnderWay }) => isUnderWay).map(({ event: { id } }) => id);
  if (ids.length === 0) return waiting;
  const known = heard(waiting, new Map((await ends(ids)).map(({ id, ...end }) => [id, end])));
  for (const one of known) {
    const earlier = waiting.find(({ event: { id } }) => id === one.event.id);
    if (one.isUnderWay || earlier?.isUnderWay !== true) continue;
    // Repeats no warning: a receiver that is away for the night fails in every pass.
    const level = earlier.failure === one.failure ? "debug" : "warning";
    log(level, `a notification did not arrive: ${one.failure ?? ""}; it is sent again`, fieldsOf(one));
  }
  return known;
}

type Starting = { readonly notifier: Notifier; readonly notifying: Pick<Notifying, "log"> };

/** Starts one notification. Returns it, still waiting, if that failed. */
async function start(one: Notification, { notifier, notifying: { log } }: Starting): Promise<"started" | Notification> {
  try {
    const started = await notifier.start(encodeEvent(one.event));
    if (started === "started") return "started";
    log("debug", "a notification is not started now", { ...fieldsOf(one), why: started });
    return one;
  } catch (thrown) {
    const { message, hint } = asFault(thrown);
    const failure = mask(message);
    log(one.failure === failure ? "debug" : "warning", `a notification could not be sent: ${message}; ${hint}`, fieldsOf(one));
    return { ...one, tries: one.tries + 1, isUnderWay: false, failure };
  }
}

/** Logs what was never sent, and records it in the history. */
async function tellLost(lost: readonly Lost[], { log, now, changeHistory }: Notifying): Promise<void> {
  if (lost.length === 0) return;
  for (const { notification, why } of lost) {
    log("warning", `a notification is given up: ${why}; it said: ${notification.event.told}`, fieldsOf(notification));
  }
  await changeHistory((history) =>
    lost.reduce((all, { notification, why }) => addLost(all, { at: now, event: notification.event.told, why }), history),
  );
}

function fieldsOf({ event: { id, kind }, tries }: Notification): Readonly<Record<string, string | number>> {
  return { event: kind, id, tries };
}

function sceneOf(state: State, { paths, settings, now }: Pick<Notifying, "paths" | "settings" | "now">): EventScene {
  const { agent, channel } = settings;
  return { host: hostname(), package: agent.package, channel, state, now, idOf: idsOf(paths) };
}

/** Makes ids from the machine's id, which itself stays private. */
export function idsOf({ root }: Pick<Paths, "root">): (subject: string) => string {
  const machine = readText(belowRoot(root, "/etc/machine-id"), { capBytes: 1024, links: "follow" }) ?? hostname();
  return (subject) =>
    createHash("sha256")
      .update(JSON.stringify(["svc-upgrade", machine, subject]))
      .digest("hex")
      .slice(0, 32);
}

/** Masks secrets as the log does, because an event leaves the host and may quote a package manager with a password. */
function masked(event: NotifyEvent): NotifyEvent {
  const { told, next, fault } = event;
  return {
    ...event,
    told: mask(told),
    next: next === undefined ? undefined : mask(next),
    fault: fault === undefined ? undefined : { ...fault, message: mask(fault.message), hint: mask(fault.hint) },
  };
}
