import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { limits } from "../../../../src/proxy/server/limits.ts";
import { channelPath, loaded, running } from "../running.ts";
import { outcomeOf } from "./outcome.ts";

const request = `GET ${channelPath("default")} HTTP/1.1\r\nHost: a\r\n`;

/** The bytes, and then a header without an end, letter by letter. */
function drip(socket: Socket, bytes: string): void {
  socket.write(`${bytes}X: `);
  const timer = setInterval(() => socket.write("x"), 100);
  socket.on("close", () => clearInterval(timer));
}

describe("a client that is slow with its headers is told so, and delays no other", () => {
  test.each([
    ["who says nothing at all", "", undefined],
    ["whose headers stop midway", request, undefined],
    ["whose headers never stop, a letter at a time", request, drip],
  ] as const)("%s", async (_who, bytes, send) => {
    expect(limits).toMatchObject({ headersMs: 10_000, requestMs: 15_000, lookEveryMs: 2000 });
    const server = await running(await loaded("{}"), { headersMs: 1000, requestMs: 1500, lookEveryMs: 200 });
    const outcome = outcomeOf(server.port, { bytes, answers: 1, ...(send === undefined ? {} : { send }) });
    for (let questions = 0; questions < 5; questions += 1) {
      expect((await fetch(`${server.url}${channelPath("default")}`)).status).toBe(200);
    }
    expect(await outcome).toEqual({ answers: ["408 request-slow"], connection: "closed" });
    await server.stop();
  });
});

describe("a client that reads no answers", () => {
  test("is cut after the time for which an idle connection is kept", async () => {
    expect(limits.keepAliveMs).toBe(75_000);
    const server = await running(await loaded("{}"), { keepAliveMs: 500 });
    const socket = connect(server.port, "127.0.0.1").pause();
    socket.on("error", () => undefined);
    // More than the system keeps for either side.
    socket.write(`${request}\r\n`.repeat(200_000));
    await expect.poll(() => server.live.serving.connections.count).toBe(1);
    await expect.poll(() => server.live.serving.connections.count).toBe(0);
    expect((await fetch(`${server.url}/webapi/ping`)).status).toBe(200);
    socket.destroy();
    await server.stop();
  });
});

test("a client that asks nothing more is closed after the same time", async () => {
  const server = await running(await loaded("{}"), { keepAliveMs: 500 });
  const socket = connect(server.port, "127.0.0.1", () => socket.write(`${request}\r\n`));
  const [answer, closed] = [once(socket, "data"), once(socket, "close")];
  expect(String(await answer)).toMatch(/^HTTP\/1\.1 200 /);
  await closed;
  await expect.poll(() => server.live.serving.connections.count).toBe(0);
  await server.stop();
});
