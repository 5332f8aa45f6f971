import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, shakeHands, status, type Host } from "../hosts.ts";
import { startAuthProcess, type AuthProcess } from "../process.ts";
import { honestBeside, mostMib } from "./honest.ts";

let auth: AuthProcess;
let node: Host;
beforeAll(async () => {
  auth = await startAuthProcess();
  node = await auth.join("node");
});
afterAll(async () => {
  await auth[Symbol.asyncDispose]();
});

const port = (): number => auth.stranger.port;
const record = (bytes: string): string => `\x16\x03\x01\x00${String.fromCharCode(bytes.length)}${bytes}`;

function heardFor(bytes: string): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(port(), "127.0.0.1", () => socket.write(bytes, "latin1"));
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(Buffer.concat(chunks)));
  });
}

describe("in place of TLS", () => {
  test.each([
    ["plain HTTP", `POST /svc.v1.${status} HTTP/1.1\r\nHost: a\r\n\r\n`],
    ["HTTP/2 without TLS", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0"],
    ["a record of garbage", record("\x01\x00\x00\x1c".repeat(8))],
  ])("%s is ended with an alert at most, and the next host is answered", async (_what, bytes) => {
    const heard = await heardFor(bytes);
    expect([...heard]).toEqual(heard.length === 0 ? [] : [0x15, 0x03, expect.any(Number), 0, 2, 2, expect.any(Number)]);
    expect(await call(node.trusting, status, {})).toMatchObject({ status: 200 });
  });

  test("a crowd that says garbage or nothing keeps nobody waiting, and takes no memory", async () => {
    const beside = honestBeside(node.trusting);
    const silent = Array.from({ length: 300 }, () => connect(port(), "127.0.0.1").on("error", () => undefined));
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(
        Array.from({ length: 200 }, (_, index) => heardFor(index % 2 === 0 ? "\0".repeat(100) : "\x15\x03\x01\x00\x02\x02\x28")),
      );
    }
    expect(await beside.end()).toEqual([]);
    for (const socket of silent) socket.destroy();
    expect(auth.memory().peak).toBeLessThan(mostMib);
  });
});

describe("once TLS is spoken", () => {
  test("nobody may begin the handshake anew", async () => {
    const socket = await shakeHands(node.trusting, { maxVersion: "TLSv1.2" });
    const closed = new Promise<string>((resolve) => {
      socket.once("error", (error) => resolve(error.message));
      socket.once("close", () => resolve("closed"));
    });
    const renegotiated = new Promise<string>((resolve) => {
      socket.renegotiate({}, (error) => resolve(error === null ? "renegotiated" : error.message));
    });
    expect(await Promise.race([closed, renegotiated])).toMatch(/no renegotiation|closed/i);
    socket.destroy();
    expect(await call(node.trusting, status, {})).toMatchObject({ status: 200 });
  });

  test.each([
    ["a protocol that is not spoken", { ALPNProtocols: ["spdy/3"] }],
    ["a cipher without authentication", { ciphers: "AECDH-AES128-SHA:@SECLEVEL=0", maxVersion: "TLSv1.2" as const }],
    ["a name of somebody else", { servername: "example.com" }],
  ])("%s gets nobody anything", async (_what, options) => {
    const came = await shakeHands(auth.stranger, options).then(
      (socket) => socket.destroy() && "open",
      (error: Error) => error.message,
    );
    expect(came).toMatch(/alert|altname|cipher/i);
    expect(await call(node.trusting, status, {})).toMatchObject({ status: 200 });
  });

  test("what is no request is 400 at most", async () => {
    const socket = await shakeHands(auth.stranger);
    const heard = new Promise<string>((resolve) => {
      let text = "";
      socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
      socket.on("error", () => undefined);
      socket.once("close", () => resolve(text));
    });
    socket.write("\0\0\0\0\r\n\r\n");
    expect(await heard).toMatch(/^(HTTP\/1\.1 400 |$)/);
  });
});
