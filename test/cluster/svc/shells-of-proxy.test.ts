import { once } from "node:events";
import { createServer, request, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough, type Duplex } from "node:stream";
import { expect, test } from "vitest";
import { shellsOfProxy } from "../../../src/cluster/svc/shells-of-proxy.ts";

const dateAt = (seconds: number): string => new Date(Date.UTC(2027, 0, 15, 8) + seconds * 1000).toUTCString();

/** What a person is answered where the host's clock is that far ahead of auth's. */
async function answered(aheadSeconds: number | undefined): Promise<{ readonly text: string; readonly told: readonly string[] }> {
  const told: string[] = [];
  const stream = new PassThrough();
  const upgrades = shellsOfProxy({
    relay: {
      post: () =>
        Promise.resolve({
          status: 200,
          contentType: "application/json",
          retryAfter: undefined,
          date: dateAt(0),
          body: Buffer.from('{"serverId":"x","hostname":"web$&1","shell":"s"}'),
        }),
    },
    tunnels: {
      open: () => Promise.resolve({ kind: "open", stream, date: aheadSeconds === undefined ? undefined : dateAt(aheadSeconds) }),
    },
    held: { begin: () => told.push("begins"), spliced: () => told.push("spliced"), failed: (_shell, why) => told.push(why) },
  });
  const server = createServer().listen(0, "127.0.0.1");
  server.on("upgrade", (asked: IncomingMessage, socket: Duplex, head: Buffer) => upgrades.take(asked, socket, head));
  await once(server, "listening");
  const headers = { connection: "Upgrade", upgrade: "svc-shell", "svc-call": "e30" };
  const asking = request({ port: (server.address() as AddressInfo).port, host: "127.0.0.1", headers }).end();
  const text = await new Promise<string>((resolve) => {
    asking.once("upgrade", (_response, socket: Duplex) => {
      socket.destroy();
      resolve("a shell");
    });
    asking.once("response", (response) => {
      let body = "";
      response.on("data", (piece) => (body += piece)).on("end", () => resolve(body));
    });
  });
  server.close();
  return { text, told: [...told, ...(stream.destroyed ? ["destroyed"] : [])] };
}

test.each([[undefined], [0], [30], [-30], [-60], [240]])(
  "a host whose clock is %s seconds ahead gets its shell",
  async (ahead) => {
    const { text, told } = await answered(ahead);
    expect([text, told.slice(0, 2)]).toEqual(["a shell", ["begins", "spliced"]]);
  },
);

test.each([
  [-300, "07:55:00"],
  [-61, "07:58:59"],
  [300, "08:05:00"],
])("one whose clock is %d seconds ahead is refused with both times", async (ahead, time) => {
  const { text, told } = await answered(ahead);
  expect(text).toContain(`by the clock of web$&1 it is 2027-01-15T${time}Z, by auth's 2027-01-15T08:00:00Z`);
  expect(told).toEqual(["the host's clock is wrong", "destroyed"]);
});
