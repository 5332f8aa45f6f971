import { encode } from "../../../src/rules/shape/write.ts";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { Fault } from "../../../src/rules/fault/fault.ts";
import type { NotificationEnd, Notifier } from "../../../src/updater/pass/ports.ts";
import { decodeEvent, type NotifyEvent } from "../../../src/updater/record/event.ts";
import { emptyHistory, type History } from "../../../src/updater/record/history.ts";
import { decodeNotifications, encodeNotifications } from "../../../src/updater/record/notifications.ts";
import { encodeEvent } from "../../../src/updater/record/event.ts";
import { testEvent } from "../../../src/updater/sentences/event.ts";
import { stateIn } from "../../../src/updater/store/state-file.ts";
import { complaints } from "../cli/documented.ts";
import { eventAnswer } from "../../../src/updater/cli/json/event.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";
import { conductorBelow, type Conducted } from "./conducting.ts";
import { closedSchedule, now } from "./given.ts";

const root = scratchFolder();
const { paths, lines, conduct } = conductorBelow(root);
const endpoint = "endpoint: https://proxy.test\n";
const command = `${endpoint}notify: {command: [tell]}\n`;

afterEach(() => {
  lines.length = 0;
  history = emptyHistory;
  for (const name of ["etc", "var"]) rmSync(`${root}/${name}`, { recursive: true, force: true });
});

type Told = { readonly notifier: Notifier; readonly events: NotifyEvent[]; readonly asked: string[] };

/** Whom passes tell; each started command ends as `end` says. */
function teller(end: (id: string) => NotificationEnd = (id) => ({ id, kind: "delivered" }), more: Partial<Notifier> = {}): Told {
  const events: NotifyEvent[] = [];
  const asked: string[] = [];
  return {
    events,
    asked,
    notifier: {
      start: async (text) => {
        const event = decodeEvent(text);
        if (event.kind === "unreadable") throw new Error(event.why);
        events.push(event.value);
        return "started";
      },
      ends: async (ids) => {
        asked.push(...ids);
        return ids.map(end);
      },
      ...more,
    },
  };
}

let passes = 0;
let history: History = emptyHistory;

/** One pass. It begins once all before it is written, as its own id. */
async function pass(told: Told | undefined, given: Partial<Conducted> = {}): Promise<unknown> {
  passes += 1;
  const passId = `pass-${passes}`;
  const { change = (ports) => ports, ...more } = given;
  return conduct({
    settings: command,
    change: (ports) =>
      change({
        ...ports,
        passId,
        notifier: told?.notifier,
        changeHistory: async (changed) => void (history = changed(history)),
      }),
    ...more,
  }).catch((thrown: unknown) => thrown);
}

function waiting() {
  if (!existsSync(paths.notifications)) return [];
  const read = decodeNotifications(readFileSync(paths.notifications, "utf8"));
  if (read.kind !== "read") throw new Error(read.why);
  return read.value.waiting;
}

const closed = { schedule: closedSchedule };
const kindsOf = ({ events }: Told): readonly string[] => events.map(({ kind }) => kind);

describe("a pass that has moved", () => {
  test("tells it once it is recorded, and the next one hears that it arrived", async () => {
    const told = teller();
    let isRecorded = false;
    const start: Notifier["start"] = async (text) => {
      isRecorded = stateIn(paths).passes[0]?.outcome.kind === "moved";
      // Written down before it is started.
      expect(waiting()).toMatchObject([{ isUnderWay: true, tries: 1 }]);
      return told.notifier.start(text);
    };
    await pass({ ...told, notifier: { ...told.notifier, start } });
    expect(isRecorded).toBe(true);
    expect(told.events).toMatchObject([
      {
        kind: "moved",
        package: "svc-ent",
        channel: "default",
        told: expect.stringMatching(/^upgraded svc-ent from 15\.4\.5 to 15\.4\.6 in \d+ seconds?$/) as string,
      },
    ]);
    expect(complaints("event", encode(eventAnswer, told.events[0]!))).toEqual([]);
    expect(waiting()).toMatchObject([{ isUnderWay: true, tries: 1 }]);
    await pass(told, closed);
    expect(told.asked).toEqual([told.events[0]?.id]);
    expect(existsSync(paths.notifications)).toBe(false);
    await pass(told, closed);
    expect(kindsOf(told)).toEqual(["moved"]);
  });

  test("tells nobody where nobody is named, and says so where no unit is started", async () => {
    await pass(teller(), { settings: endpoint });
    expect(stateIn(paths).told).toBeUndefined();
    await pass(undefined);
    expect(lines.filter(({ sentence }) => sentence.startsWith("notify.command is not started here"))).toHaveLength(1);
    await pass(undefined, closed);
    expect(lines.filter(({ sentence }) => sentence.startsWith("notify.command is not started here"))).toHaveLength(1);
    expect(existsSync(paths.notifications)).toBe(false);
  });

  test("is told again, with the same id, until it arrives; and why it did not is said where that is new", async () => {
    let end: Omit<Extract<NotificationEnd, { kind: "failed" }>, "id"> = { kind: "failed", why: "no network" };
    const told = teller((id) => ({ id, ...end }));
    await pass(told);
    await pass(told, closed);
    await pass(told, closed);
    end = { kind: "failed", why: "ended with status 22" };
    await pass(told, closed);
    expect(new Set(told.events.map(({ id }) => id)).size).toBe(1);
    expect(told.events).toHaveLength(4);
    const warnings = lines.filter(({ level, sentence }) => level === "warning" && sentence.includes("did not arrive"));
    expect(warnings.map(({ sentence }) => sentence)).toEqual([
      "a notification did not arrive: no network; it is sent again",
      "a notification did not arrive: ended with status 22; it is sent again",
    ]);
  });

  test.each<[string, Partial<Notifier>, string]>([
    [
      "refuses it",
      { start: () => Promise.reject(new Fault("settings-invalid", { message: "no such file", hint: "write it" })) },
      "no such file",
    ],
    ["is busy", { start: () => Promise.resolve("busy") }, ""],
    ["cannot be reached", { start: () => Promise.reject(new Error("gone")) }, "gone"],
  ])("ends as it would have where whoever starts the command %s, and the event waits", async (_what, more, said) => {
    const told = teller(undefined, more);
    await expect(pass(told)).resolves.toMatchObject({ outcome: { kind: "moved" } });
    expect(waiting()).toMatchObject([{ isUnderWay: false }]);
    if (said !== "")
      expect(lines.filter(({ level, sentence }) => level === "warning" && sentence.includes(said))).toHaveLength(1);
    await pass(told, closed);
    if (said !== "")
      expect(lines.filter(({ level, sentence }) => level === "warning" && sentence.includes(said))).toHaveLength(1);
    const well = teller();
    await pass(well, closed);
    expect(kindsOf(well)).toEqual(["moved"]);
  });

  test("ends as it would have where the queue cannot be written, and a later one tells it", async () => {
    mkdirSync(`${paths.notifications}/not a file`, { recursive: true });
    const told = teller();
    await expect(pass(told)).resolves.toMatchObject({ outcome: { kind: "moved" } });
    expect(told.events).toEqual([]);
    rmSync(paths.notifications, { recursive: true });
    await pass(told, closed);
    expect(kindsOf(told)).toEqual(["moved"]);
  });

  test("starts nothing once it was asked to stop", async () => {
    const told = teller();
    const stopped = new AbortController();
    await pass(told, {
      change: (ports) => ({
        ...ports,
        stopping: stopped.signal,
        isGoingDown: async () => false,
        countRestarts: async () => (stopped.abort(), undefined),
      }),
    });
    expect(told.events).toEqual([]);
    expect(waiting()).toMatchObject([{ tries: 0 }]);
    await pass(told, closed);
    expect(kindsOf(told)).toEqual(["moved"]);
  });
});

test("what is left of a queue that cannot be read is a warning, and goes", async () => {
  mkdirSync(paths.stateDirectory, { recursive: true });
  writeFileSync(paths.notifications, "{");
  await pass(teller(), closed);
  expect(lines.map(({ sentence }) => sentence)).toContainEqual("the notifications that waited are lost: it is not JSON");
  expect(existsSync(paths.notifications)).toBe(false);
});

test("what is pushed out by something newer is told, and stands in the history", async () => {
  mkdirSync(paths.stateDirectory, { recursive: true });
  const event = (number: number): NotifyEvent => ({
    ...testEvent({ id: number.toString(16).padStart(32, "0"), host: "h", package: "svc-ent", channel: "default", now }),
    told: `event ${number}`,
  });
  const full = Array.from({ length: 20 }, (_, at) => ({ event: event(at), tries: 0, isUnderWay: false, failure: undefined }));
  writeFileSync(paths.notifications, encodeNotifications(full));
  await pass(teller(undefined, { start: () => Promise.resolve("busy") }));
  expect(waiting()).toHaveLength(20);
  expect(lines.map(({ sentence }) => sentence)).toContainEqual(
    "a notification is given up: more than 20 wait to be sent; it said: event 0",
  );
  expect(history.entries).toMatchObject([
    { kind: "notice-lost", event: "event 0", why: "more than 20 wait to be sent" },
    { kind: "move" },
  ]);
});

test("what waits is dropped with a word once nobody is named any more", async () => {
  await pass(teller(undefined, { start: () => Promise.resolve("busy") }));
  await pass(teller(), { settings: endpoint, ...closed });
  expect(existsSync(paths.notifications)).toBe(false);
  expect(lines.map(({ sentence }) => sentence)).toContainEqual(
    expect.stringMatching(/^a notification is given up: notify\.command is not set any more; it said: upgraded/),
  );
  expect(stateIn(paths).told).toBeUndefined();
});

test("a pass that is killed after it has queued an event, and before it has noted that, makes no second one of it", async () => {
  const told = teller(undefined, { start: () => Promise.resolve("busy") });
  await pass(told);
  const before = waiting();
  const state = JSON.parse(readFileSync(paths.state, "utf8")) as { told?: unknown };
  writeFileSync(paths.state, JSON.stringify({ ...state, told: { passes: [] } }));
  await pass(told, closed);
  expect(waiting().map(({ event }) => event.id)).toEqual(before.map(({ event }) => event.id));
});

test("a pass that is killed after it has written that it starts one, and before it has, starts it once more", async () => {
  const told = teller((id) => ({ id, kind: "unknown" }));
  await pass(told);
  await pass(told, closed);
  expect(told.events).toHaveLength(2);
  expect(lines.map(({ sentence }) => sentence)).toContainEqual(expect.stringContaining("nothing is known of its end"));
});

test("no secret leaves the host in an event", async () => {
  const told = teller();
  const secret = new Fault("refresh-failed", {
    message: "https://me:hunter2@repo.test: 403",
    hint: "see https://me:hunter2@repo.test",
  });
  await pass(told, { fails: [["refresh", secret]] });
  expect(kindsOf(told)).toEqual(["failed"]);
  expect(encodeEvent(told.events[0]!)).toContain("//***@repo.test");
  expect(encodeEvent(told.events[0]!)).not.toContain("hunter2");
});
