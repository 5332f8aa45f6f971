import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, callIn, session, status, type Host } from "../hosts.ts";
import { startAuthProcess, type AuthProcess } from "../process.ts";
import { flags, frame, isEnded, number, question, rawSession, sendWhileOpen } from "./frames.ts";
import { honestBeside, mostMib } from "./honest.ts";

let auth: AuthProcess;
let honest: Host;
beforeAll(async () => {
  auth = await startAuthProcess();
  honest = await auth.join("node");
});
afterAll(async () => {
  await auth[Symbol.asyncDispose]();
});

const many = 200_000;
const stream = (index: number): number => 2 * index + 1;
const begin = (index: number): Buffer =>
  frame({ type: "headers", flags: flags.endHeaders, stream: stream(index), payload: question(status) });
const setting = (id: number, value: number): Buffer => Buffer.concat([Buffer.from([0, id]), number(value)]);

/** What a client sends as fast as it can. Each is ended by the server before it is through. */
const floods: readonly (readonly [what: string, next: (index: number) => Buffer])[] = [
  [
    "calls that are taken back at once",
    (index) => Buffer.concat([begin(index), frame({ type: "reset", stream: stream(index), payload: number(8) })]),
  ],
  [
    "headers that go on for ever",
    (index) =>
      index === 0
        ? frame({ type: "headers", stream: 1, payload: question(status) })
        : frame({ type: "continuation", stream: 1, payload: Buffer.alloc(64) }),
  ],
  [
    "headers without a letter in them",
    (index) => (index === 0 ? frame({ type: "headers", stream: 1 }) : frame({ type: "continuation", stream: 1 })),
  ],
  ["more calls at once than it may", begin],
  [
    "a settings frame of a hundred settings",
    () => frame({ type: "settings", payload: Buffer.concat(Array(100).fill(setting(99, 1))) }),
  ],
  ["frames of a stream that never was", (index) => frame({ type: "data", stream: stream(index), payload: Buffer.from("{}") })],
  ["a window that is too large", () => frame({ type: "window", payload: number(0x7fff_ffff) })],
  ["what is no frame", () => Buffer.alloc(100, 0xff)],
];

describe("over HTTP/2", () => {
  test.each(floods)("%s: the session is ended, and an honest client is answered all the while", async (_what, next) => {
    const beside = honestBeside(honest.trusting);
    const socket = await rawSession(auth.stranger);
    const sent = await sendWhileOpen(socket, next, { most: many });
    expect(await isEnded(socket)).toBe(true);
    expect(sent).toBeLessThan(many);
    socket.destroy();
    expect(await beside.end()).toEqual([]);
    expect(auth.memory().peak).toBeLessThan(mostMib);
  });

  test("calls that are taken back one after the other end the session, too", async () => {
    const socket = await rawSession(auth.stranger);
    const taken = (index: number): Buffer =>
      Buffer.concat([begin(index), frame({ type: "reset", stream: stream(index), payload: number(8) })]);
    // Fewer than are allowed at once at any time.
    const sent = await sendWhileOpen(socket, taken, { most: 500, atOnce: 5, pauseMs: 5 });
    expect(await isEnded(socket)).toBe(true);
    expect(sent).toBeLessThan(500);
    expect(await call(honest.trusting, status, {})).toMatchObject({ status: 200 });
  });

  test.each([
    ["pings", () => frame({ type: "ping", payload: Buffer.alloc(8) })],
    ["settings", (index: number) => frame({ type: "settings", payload: setting(4, 65_535 - (index % 2)) })],
    ["windows", () => frame({ type: "window", payload: number(1) })],
  ] as const)("%s without end hold nobody up, and take no memory", async (_what, next) => {
    const beside = honestBeside(honest.trusting);
    const socket = await rawSession(auth.stranger);
    await sendWhileOpen(socket, next, { most: many / 4 });
    socket.destroy();
    expect(await beside.end()).toEqual([]);
    expect(auth.memory().peak).toBeLessThan(mostMib);
  });

  test("pings whose answers nobody reads take no memory", async () => {
    const socket = await rawSession(auth.stranger);
    socket.pause();
    await sendWhileOpen(socket, () => frame({ type: "ping", payload: Buffer.alloc(8) }), { most: 20_000 });
    expect(await call(honest.trusting, status, {})).toMatchObject({ status: 200 });
    socket.destroy();
    expect(auth.memory().peak).toBeLessThan(mostMib);
  });

  test("headers that are too large are refused, and the session goes on", async () => {
    const opened = session(honest.trusting);
    // The limit is in force once the client has heard of it.
    await callIn(opened, status, {});
    const asked = opened.request({ ":method": "POST", ":path": `/svc.v1.${status}`, "x-large": "x".repeat(12_000) });
    const refused = new Promise((resolve) => asked.once("error", (error) => resolve(error.message)));
    expect(await refused).toMatch(/NGHTTP2_ENHANCE_YOUR_CALM/);
    expect(await callIn(opened, status, {})).toMatchObject({ status: 200 });
    opened.destroy();
  });

  test("a body without end is cut where it is too large, and others of the session are answered", async () => {
    const opened = session(honest.trusting);
    const asked = opened.request({ ":method": "POST", ":path": `/svc.v1.JoinService/Join`, "content-type": "application/json" });
    asked.on("error", () => undefined);
    const answered = once(asked.resume(), "response");
    const over = once(asked, "aborted");
    while (!asked.aborted) {
      if (!asked.write("x".repeat(16_384))) await Promise.race([once(asked, "drain").catch(() => undefined), over]);
    }
    const [told] = (await answered) as [Record<string, unknown>];
    // It was answered, and then told to stop: not given up.
    expect([told[":status"], asked.rstCode]).toEqual([429, 0]);
    expect(await callIn(opened, status, {})).toMatchObject({ status: 200 });
    opened.destroy();
    expect(auth.memory().peak).toBeLessThan(mostMib);
  });

  test("answers that nobody takes are given up, and their place is free", async () => {
    const other = await auth.join("node");
    const slow = Array.from({ length: 20 }, () => session(honest.trusting, { settings: { initialWindowSize: 0 } }));
    for (const opened of slow) {
      for (let calls = 0; calls < 30; calls += 1) {
        const asked = opened.request({ ":method": "POST", ":path": `/svc.v1.${status}`, "content-type": "application/json" });
        asked.on("error", () => undefined);
        asked.end("{}");
      }
    }
    // As many as one host may have, and more: those of another one are answered.
    const beside = await Promise.all(Array.from({ length: 5 }, () => call(other.trusting, status, {})));
    expect(beside.map(({ status: code }) => code)).toEqual([200, 200, 200, 200, 200]);
    for (const opened of slow) opened.destroy();
    await expect.poll(async () => (await call(honest.trusting, status, {})).status).toBe(200);
  });
});
