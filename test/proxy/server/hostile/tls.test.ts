import { once } from "node:events";
import { request } from "node:https";
import { connect as connectRaw } from "node:net";
import { connect } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAuthority } from "../../../machine/network/fixture/authority.ts";
import { channelPath, running } from "../running.ts";
import { secure } from "../secure.ts";
import { outcomeOf, type Outcome } from "./outcome.ts";
import { startVictim, type Victim } from "./victim.ts";

const authority = createAuthority("one");
let victim: Victim;
const pair = authority.issue({ name: "a.example", altName: "DNS:a.example" });
beforeAll(async () => {
  victim = await startVictim(pair);
});
afterAll(async () => {
  await victim.stop();
  authority.remove();
});

const path = channelPath("default");
const trusting = (): object => ({ port: victim.port, host: "127.0.0.1", ca: authority.pem, servername: "a.example" });

function asked(): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const question = request({ ...trusting(), path, agent: false }, (answer) => {
      answer.resume().on("end", () => resolve(answer.statusCode));
    });
    question.on("error", reject).end();
  });
}

/** The bytes after the handshake. */
async function afterHandshake(bytes: string): Promise<Outcome> {
  const socket = connect(trusting());
  await once(socket, "secureConnect");
  return outcomeOf(socket, { bytes, answers: 1 });
}

const record = (bytes: string): string => `\x16\x03\x01\x00${String.fromCharCode(bytes.length)}${bytes}`;

describe("where TLS is spoken", () => {
  test.concurrent.each([
    ["plain HTTP", `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`],
    ["a record of garbage", record("\x01\x00\x00\x1c".repeat(8))],
  ])("%s is ended with an alert at most, and the next question is answered", async (_what, bytes) => {
    const heard = await new Promise<string>((resolve) => {
      let text = "";
      const socket = connectRaw(victim.port, "127.0.0.1", () => socket.write(bytes, "latin1"));
      socket.on("data", (chunk) => (text += chunk.toString("latin1")));
      socket.on("error", () => undefined);
      socket.on("close", () => resolve(text));
    });
    // An alert is all that a client may hear who speaks no TLS, or none that is right.
    expect([...Buffer.from(heard, "latin1")]).toEqual(
      heard === "" ? [] : [0x15, 0x03, expect.any(Number), 0, 2, 2, expect.any(Number)],
    );
    expect(await asked()).toBe(200);
  });

  test("a handshake that never goes on is cut within the limit for headers", async () => {
    const server = await running(await secure("{}", pair), { headersMs: 500 });
    const socket = connectRaw(server.port, "127.0.0.1").resume();
    socket.on("error", () => undefined);
    await once(socket, "close");
    await expect.poll(() => server.live.serving.connections.count).toBe(0);
    await server.stop();
  });

  test("a client that is too old is refused", async () => {
    const socket = connect({ ...trusting(), maxVersion: "TLSv1.1", minVersion: "TLSv1" });
    await expect(once(socket, "secureConnect")).rejects.toThrow(/alert|version|protocol/i);
    expect(await asked()).toBe(200);
  });

  test("bytes that are no request are refused after the handshake as they are without TLS", async () => {
    expect(await afterHandshake("\0\0\0\0")).toEqual({ answers: ["400 request-invalid"], connection: "closed" });
    expect(await asked()).toBe(200);
  });
});
