import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { limits } from "../../../../src/proxy/server/limits.ts";
import { channelPath, loaded, running } from "../running.ts";
import { outcomeOf } from "./outcome.ts";
import { startVictim, type Victim } from "./victim.ts";

let victim: Victim;
beforeAll(async () => {
  victim = await startVictim();
});
afterAll(() => victim.stop());

const request = `GET ${channelPath("default")} HTTP/1.1\r\nHost: a\r\n`;

/** The bytes, and then a header without an end, letter by letter. */
function drip(socket: Socket, bytes: string): void {
  socket.write(`${bytes}X: `);
  const timer = setInterval(() => socket.write("x"), 200);
  socket.on("close", () => clearInterval(timer));
}

describe(
  "whoever takes his time is told so within the limits that are shipped, and is in nobody's way",
  { timeout: 60_000 },
  () => {
    test.concurrent.each([
      ["who says nothing at all", "", undefined],
      ["whose headers stop midway", request, undefined],
      ["whose headers never stop, a letter at a time", request, drip],
    ] as const)("%s", async (_who, bytes, send) => {
      const outcome = outcomeOf(victim.port, { bytes, answers: 1, ...(send === undefined ? {} : { send }) });
      for (let questions = 0; questions < 5; questions += 1) {
        expect((await fetch(`http://127.0.0.1:${victim.port}${channelPath("default")}`)).status).toBe(200);
      }
      expect(await outcome).toEqual({ answers: ["408 request-slow"], connection: "closed" });
    });
  },
);

describe("whoever reads none of his answers", () => {
  test("is cut once nothing has moved for as long as an idle connection is kept", async () => {
    expect(limits.keepAliveMs).toBe(75_000);
    const server = await running(await loaded("{}"), { keepAliveMs: 500 });
    const socket = connect(server.port, "127.0.0.1").pause();
    socket.on("error", () => undefined);
    // More than the system keeps for either side.
    socket.write(`${request}\r\n`.repeat(200_000));
    await expect.poll(() => server.live.serving.connections.count, { timeout: 20_000 }).toBe(1);
    await expect.poll(() => server.live.serving.connections.count, { timeout: 20_000 }).toBe(0);
    expect((await fetch(`${server.url}/webapi/ping`)).status).toBe(200);
    socket.destroy();
    await server.stop();
  });
});

test("whoever asks nothing more is closed once nothing has moved for as long", async () => {
  const server = await running(await loaded("{}"), { keepAliveMs: 500 });
  const socket = connect(server.port, "127.0.0.1", () => socket.write(`${request}\r\n`));
  const [answer, closed] = [once(socket, "data"), once(socket, "close")];
  expect(String(await answer)).toMatch(/^HTTP\/1\.1 200 /);
  await closed;
  await expect.poll(() => server.live.serving.connections.count, { timeout: 20_000 }).toBe(0);
  await server.stop();
});
