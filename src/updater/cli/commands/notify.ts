import { encode } from "../../../rules/shape/write.ts";
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { settingsDigest } from "../../act/settings-digest.ts";
import { actThroughUnit } from "../../act/through-unit.ts";
import { exitStatus } from "../../../rules/fault/explain.ts";
import { Fault } from "../../../rules/fault/fault.ts";
import { quote } from "../../../rules/text/quote.ts";
import { isBooted, isOwnRoot } from "../../../machine/processes/booted.ts";
import { readClock } from "../../../machine/clocks/read-clock.ts";
import { mask } from "../../../machine/logging/mask-secrets.ts";
import type { Paths } from "../../../machine/files/paths.ts";
import { runCommand } from "../../../machine/processes/run-command.ts";
import { stopwatch } from "../../../machine/clocks/stopwatch.ts";
import { busy } from "../../pass/pass-under-locks.ts";
import { encodeEvent, type NotifyEvent } from "../../record/event.ts";
import type { Ended } from "../../record/notifications.ts";
import { testEvent } from "../../sentences/event.ts";
import type { Settings } from "../../../rules/settings/settings.ts";
import { prepare } from "../../sources/settings.ts";
import { toolEnvironment } from "../../unit/environment.ts";
import { syncArgv } from "../../unit/journal-query.ts";
import { longestNotifySeconds, notificationEnd, notifyDirectory, notifyLinesArgv } from "../../unit/notify-command.ts";
import { actingSocket, decidingUnit } from "../../unit/own-units.ts";
import { unitControl } from "../../unit/systemctl.ts";
import { unitEnvironment } from "../../unit/unit-environment.ts";
import { changeable } from "../changeable.ts";
import type { CommandContext } from "../context.ts";
import { notifyAnswer } from "../json/orders.ts";
import type { SharedOptions } from "../options.ts";
import { sourcesOf } from "../wiring/sources.ts";

/** Sends a test event as all others are sent. Unlike a pass, waits for its end. */
export async function notify(options: SharedOptions, context: CommandContext): Promise<number> {
  const { surroundings } = context;
  const paths = changeable("notify", options, context);
  if (!isOwnRoot(paths) || !isBooted()) throw notHere();
  const settings = await unitsSettings(paths, context);
  if (settings.notify.command.length === 0) throw notSet();
  // The acting unit serves a pass and nobody else at that time.
  if ((await unitControl(runCommand).show(decidingUnit)).active === "activating") throw busy(undefined);
  const event = eventFor(settings);
  await start(event, { paths, settings, stopping: surroundings.stopping });
  const end = await endOf(event, surroundings.stopping);
  const lines = await linesOf(event);
  const sent = { event, end, lines };
  surroundings.out(options.json ? `${JSON.stringify(encode(notifyAnswer, sent))}\n` : told(sent, settings));
  return end.kind === "delivered" ? 0 : exitStatus("unhealthy-host");
}

/** The settings as the units read them, without this shell's variables. */
async function unitsSettings(paths: Paths, { log }: CommandContext): Promise<Settings> {
  const environment = await unitEnvironment(runCommand, decidingUnit);
  return (await prepare(sourcesOf(paths, { surroundings: { environment, userId: 0 }, log }))).settings;
}

function eventFor({ agent, channel }: Settings): NotifyEvent {
  const id = randomUUID().replaceAll("-", "");
  return testEvent({ host: hostname(), package: agent.package, channel, now: readClock().now, id });
}

type Starting = { readonly paths: Paths; readonly settings: Settings; readonly stopping: AbortSignal };

async function start(event: NotifyEvent, { paths, settings, stopping }: Starting): Promise<void> {
  await unitControl(runCommand).change("start", actingSocket);
  const pass = randomUUID();
  const acting = actThroughUnit({
    path: paths.acting,
    begin: () => ({ kind: "begin", pass, settings: settingsDigest(settings) }),
    seen: () => undefined,
    stopping,
  });
  try {
    const started = await acting.notifier.start(encodeEvent(event));
    if (started === "started") return;
    throw new Fault("busy", {
      message: "as many notifications as may be sent at once are on their way",
      hint: `type it again in a minute; see them: systemctl list-units "svc-upgrade-notify-*"`,
    });
  } finally {
    acting.end();
  }
}

/** How often to look for the end, which the screen then shows. */
const pollMs = 200;
/** A limit that is never reached, because systemd ends the command earlier. */
const longestMs: number = (longestNotifySeconds + 30) * 1000;

async function endOf({ id }: NotifyEvent, stopping: AbortSignal): Promise<Ended> {
  const deadlineMs = stopwatch.nowMs() + longestMs;
  for (;;) {
    const end = await notificationEnd(runCommand, { id, directory: notifyDirectory });
    if (end.kind !== "running" || stopwatch.nowMs() >= deadlineMs) return end;
    if (stopping.aborted)
      throw new Fault("stopping", { message: "this was asked to end before the command had", hint: "sudo svc-upgrade notify" });
    // oxlint-disable-next-line no-await-in-loop -- the point is to wait in between
    await stopwatch.wait(pollMs);
  }
}

const mostLines = 10;
const longestLine = 160;
const journalTimeoutMs = 20_000;

/** The command's lines. Returns none from an unreadable journal, because they only help a reader. */
async function linesOf({ id }: NotifyEvent): Promise<readonly string[]> {
  const ask = (argv: readonly [string, ...string[]]) => runCommand({ argv, env: toolEnvironment, timeoutMs: journalTimeoutMs });
  await ask(syncArgv);
  const result = await ask(notifyLinesArgv(id, mostLines));
  const lines = result.kind === "exited" ? result.stdout.split("\n") : [];
  return lines.filter((line) => line.trim() !== "").map((line) => quote(mask(line), longestLine));
}

type Sent = { readonly event: NotifyEvent; readonly end: Ended; readonly lines: readonly string[] };

function told({ event, end, lines }: Sent, { notify: { command } }: Settings): string {
  const said = lines.length === 0 ? ["it printed nothing"] : ["its last lines:", ...lines.map((line) => `  ${line}`)];
  return [`told ${command[0] ?? ""}: ${event.told}`, ...said, tellEnd(end), ""].join("\n");
}

function tellEnd(end: Ended): string {
  switch (end.kind) {
    case "delivered":
      return "it ended with status 0, which counts as delivered";
    case "failed":
      return `not delivered: ${end.why}`;
    case "running":
      return "not delivered: it is still running, although systemd should have ended it";
    case "unknown":
      return "not delivered: nothing is known of its end; see journalctl -t svc-upgrade-notify";
  }
}

function notSet(): Fault {
  return new Fault("settings-invalid", {
    message: "notify.command is not set: nobody is notified of anything",
    hint: "name a program in a file below /etc/svc-upgrade, for example notify: {command: [/usr/local/bin/notify]}",
  });
}

function notHere(): Fault {
  return new Fault("host-unsupported", {
    message: "notify.command is a unit's, and systemd starts none below another root or where it does not run",
    hint: "try it on the booted host: sudo svc-upgrade notify",
  });
}
