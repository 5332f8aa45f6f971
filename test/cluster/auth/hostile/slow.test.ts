import { connect } from "node:net";
import type { TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { authLimits } from "../../../../src/cluster/auth/limits.ts";
import { session, shakeHands, startWithHosts, status, type Host, type WithHosts } from "../hosts.ts";
import { honestBeside } from "./honest.ts";

/** As shipped, but for the times. */
const quick = { headersMs: 1000, bodyMs: 1000, idleMs: 2000, unreadMs: 500, lookForSlowMs: 50 };

let auth: WithHosts;
let node: Host;
beforeAll(async () => {
  auth = await startWithHosts({ limits: quick });
  node = await auth.join("node");
});
afterAll(async () => {
  await auth[Symbol.asyncDispose]();
});

const head = `POST /svc.v1.JoinService/Join HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n`;

type Heard = { readonly text: string };

/** What was heard until the server closed. */
function heardUntilClosed(socket: TLSSocket | ReturnType<typeof connect>): Promise<Heard> {
  return new Promise((resolve) => {
    let text = "";
    socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
    socket.on("error", () => undefined);
    socket.once("close", () => resolve({ text }));
  });
}

/** A letter at a time, for as long as somebody listens. */
function drip(socket: TLSSocket, letter: string): void {
  const timer = setInterval(() => socket.write(letter), 50);
  socket.once("close", () => clearInterval(timer));
}

describe("whoever is slow", () => {
  test.concurrent.each([
    ["with headers that stop midway", (socket: TLSSocket): void => void socket.write(head), /^(HTTP\/1\.1 408 |$)/],
    [
      "with headers, a letter at a time",
      (socket: TLSSocket): void => {
        socket.write(`${head}x-long: `);
        drip(socket, "a");
      },
      /^(HTTP\/1\.1 408 |$)/,
    ],
    [
      "with a body that stops midway",
      (socket: TLSSocket): void => void socket.write(`${head}content-length: 100\r\n\r\n{`),
      /^HTTP\/1\.1 504 [^]*deadline_exceeded[^]*whole in 1 second/,
    ],
    [
      "with a body, a letter at a time",
      (socket: TLSSocket): void => {
        socket.write(`${head}content-length: 1000\r\n\r\n{`);
        drip(socket, " ");
      },
      /^HTTP\/1\.1 504 [^]*deadline_exceeded/,
    ],
    ["and says nothing after the handshake", (): void => undefined, /^(HTTP\/1\.1 408 |$)/],
    [
      "and says one thing, and nothing more",
      (socket: TLSSocket): void => void socket.write(`${head}content-length: 2\r\n\r\n{}`),
      /^HTTP\/1\.1 403 /,
    ],
  ] as const)("%s is answered or cut, and another is answered meanwhile", async (_what, send, heard) => {
    const beside = honestBeside(node.trusting);
    const socket = await shakeHands(auth.stranger);
    const closed = heardUntilClosed(socket);
    send(socket);
    expect((await closed).text).toMatch(heard);
    expect(await beside.end()).toEqual([]);
  });

  test.concurrent("with the handshake is cut", async () => {
    const beside = honestBeside(node.trusting);
    const silent = connect(auth.auth.port, "127.0.0.1");
    const half = connect(auth.auth.port, "127.0.0.1", () => half.write(Buffer.from([0x16, 3, 1, 2, 0, 1])));
    await Promise.all([heardUntilClosed(silent), heardUntilClosed(half)]);
    expect(await beside.end()).toEqual([]);
  });

  test.concurrent("in a session of HTTP/2 is cut: one that asks nothing, and one with half a body", async () => {
    const idle = session(auth.stranger);
    const half = session(auth.stranger);
    const asked = half.request({ ":method": "POST", ":path": "/svc.v1.JoinService/Join", "content-type": "application/json" });
    asked.on("error", () => undefined);
    const told = new Promise((resolve) => asked.once("response", (headers) => resolve(headers[":status"])));
    asked.resume().write("{");
    expect(await told).toBe(504);
    await Promise.all([idle, half].map((one) => new Promise<void>((resolve) => one.once("close", () => resolve()))));
  });
});

describe("whoever reads no answer", () => {
  test.concurrent("over HTTP/1.1 is cut", async () => {
    const beside = honestBeside(node.trusting);
    const socket = await shakeHands(node.trusting);
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    socket.on("error", () => undefined);
    socket.pause();
    // What costs nothing to answer, until the system keeps no more of it for either side.
    const one = "POST /nothing HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n";
    const timer = setInterval(() => {
      if (socket.writableLength < 1_000_000) socket.write(one.repeat(25));
    }, 1);
    await closed;
    clearInterval(timer);
    expect(await beside.end()).toEqual([]);
  });

  test.concurrent("over HTTP/2 loses the call, and its place is another's", async () => {
    const opened = session(node.trusting, { settings: { initialWindowSize: 0 } });
    // So that it is not idle.
    const alive = setInterval(() => void (opened.destroyed || opened.ping(() => undefined)), 100);
    const resets = Array.from({ length: 40 }, () => {
      const asked = opened.request({ ":method": "POST", ":path": `/svc.v1.${status}`, "content-type": "application/json" });
      asked.on("error", () => undefined);
      asked.resume().end("{}");
      return new Promise<number>((resolve) => asked.once("close", () => resolve(asked.rstCode)));
    });
    const codes = await Promise.all(resets);
    clearInterval(alive);
    expect(opened.destroyed).toBe(false);
    const [cancelled, refused] = [8, 7].map((wanted) => codes.filter((code) => code === wanted).length);
    // The first may be through before its limits are known; what is beyond the limit of a session was never heard.
    expect(cancelled).toBeGreaterThanOrEqual(authLimits.callsOfOneConnection - 2);
    expect(cancelled! + refused!).toBeGreaterThanOrEqual(codes.length - 2);
    opened.destroy();
  });
});

test("whoever closes half of the connection is answered, and then closed", async () => {
  const socket = await shakeHands(auth.stranger);
  const closed = heardUntilClosed(socket);
  socket.end(`${head}content-length: 2\r\n\r\n{}`);
  expect((await closed).text).toMatch(/^(HTTP\/1\.1 403 [^]*|)$/);
  const nothing = await shakeHands(auth.stranger);
  const gone = heardUntilClosed(nothing);
  nothing.end();
  await gone;
});
