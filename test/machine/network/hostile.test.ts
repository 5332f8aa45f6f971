import { gzipSync } from "node:zlib";
import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import type { FaultData } from "../../../src/rules/fault/fault.ts";
import type { FaultCode } from "../../../src/rules/fault/table.ts";
import { askChannel } from "../../../src/machine/network/ask-channel.ts";
import { fakePorts, questionFor } from "./fixture/ports.ts";
import { serve, serveRaw, type Answering, type Running } from "./fixture/server.ts";
import { started } from "./fixture/started.ts";

type Outcome = { readonly code: FaultCode; readonly tries: number; readonly says: RegExp };

describe("askChannel makes a fault of every other answer", () => {
  const once = (code: FaultCode, says: RegExp): Outcome => ({ code, tries: 1, says });
  const thrice = (code: FaultCode, says: RegExp): Outcome => ({ code, tries: 3, says });
  const answers: readonly [string, ReturnType<Answering>, Outcome][] = [
    ["an empty body", { status: 200, body: "" }, once("answer-invalid", /an empty body/)],
    [
      "a login page",
      { status: 200, body: "<!doctype html><title>Sign in</title>" },
      once("answer-invalid", /answers a web page of 37 bytes$/),
    ],
    ["bytes that are not UTF-8", { status: 200, body: Buffer.from([0xff, 0xfe, 0x31]) }, once("answer-invalid", /not UTF-8/)],
    [
      "two kilobytes",
      { status: 200, body: `v1.2.3${" ".repeat(2048)}` },
      once("answer-invalid", /answers more than 1024 bytes$/),
    ],
    [
      "a compressed bomb",
      { status: 200, headers: { "content-encoding": "gzip" }, body: gzipSync(Buffer.alloc(10_000_000)) },
      once("answer-invalid", /encoded as gzip/),
    ],
    ["206", { status: 206, body: "v1" }, once("answer-invalid", /status 206 and a text of 2 bytes, which is not a version$/)],
    ["302 without a place", { status: 302 }, once("answer-invalid", /status 302/)],
    ["400", { status: 400, body: "no" }, once("answer-invalid", /status 400 and a text of 2 bytes, which is not a version$/)],
    ["401", { status: 401 }, once("channel-refused", /status 401/)],
    ["403", { status: 403 }, once("channel-refused", /status 403/)],
    ["404", { status: 404, body: "x".repeat(5000) }, once("channel-unknown", /status 404/)],
    ["407 without a proxy", { status: 407 }, once("answer-invalid", /status 407/)],
    ["429", { status: 429 }, thrice("channel-failing", /status 429/)],
    ["500", { status: 500 }, thrice("channel-failing", /status 500/)],
    ["502 with a page", { status: 502, body: "x".repeat(100_000) }, thrice("channel-failing", /status 502/)],
    [
      "503, compressed",
      { status: 503, headers: { "content-encoding": "br" }, body: "?" },
      thrice("channel-failing", /status 503/),
    ],
  ];
  it.each(answers)("%s", async (_title, answering, outcome) => {
    const server = await started(serve(() => answering));
    const seen = await faultOf(server);
    expect(seen).toMatchObject(expected(outcome));
    expect(seen.fault.message).toContain(seen.url);
    expect(Buffer.byteLength(JSON.stringify(seen.fault))).toBeLessThan(3500);
  });

  const raw: readonly [string, (socket: Socket) => void, Outcome][] = [
    ["no HTTP at all", (socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n"), once("answer-invalid", /proper HTTP \(HPE_/)],
    [
      "headers without end",
      (socket) => drip(socket, "HTTP/1.1 200 OK\r\n", `x-${"y".repeat(1000)}: z\r\n`),
      once("answer-invalid", /more headers/),
    ],
    [
      "a body without end",
      (socket) => drip(socket, "HTTP/1.1 200 OK\r\n\r\n", "v1.2.3 ".repeat(100)),
      once("answer-invalid", /more than 1024/),
    ],
    [
      "an error without end",
      (socket) => drip(socket, "HTTP/1.1 500 No\r\n\r\n", "x".repeat(1000)),
      thrice("channel-failing", /500/),
    ],
    [
      "a body shorter than it says",
      (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\nv15.4.6"),
      thrice("channel-unreachable", /in the middle/),
    ],
    [
      "a body longer than it says",
      (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\nv15.4.67"),
      once("answer-invalid", /HPE_/),
    ],
    ["a close instead of an answer", (socket) => socket.end(), thrice("channel-unreachable", /closed before/)],
    ["a reset instead of an answer", (socket) => socket.resetAndDestroy(), thrice("channel-unreachable", /ECONNRESET/)],
    [
      "another protocol",
      (socket) => socket.end("HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
      thrice("channel-unreachable", /ECONNRESET/),
    ],
  ];
  it.each(raw)("%s", async (_title, answering, outcome) => {
    const server = await started(serveRaw(answering));
    const seen = await faultOf(server);
    expect(seen).toMatchObject(expected(outcome));
    expect(seen.fault.message).toContain(seen.url);
    expect(Buffer.byteLength(JSON.stringify(seen.fault))).toBeLessThan(3500);
  });
});

type Seen = { readonly fault: FaultData; readonly tries: number; readonly waits: readonly number[]; readonly url: string };

async function faultOf(server: Running): Promise<Seen> {
  const ports = fakePorts();
  const endpoint = `http://127.0.0.1:${server.port}`;
  const answer = await askChannel(questionFor(endpoint), ports);
  if (answer.kind !== "fault") throw new Error("an answer was made of this");
  const url = `${endpoint}/v1/webapi/automaticupgrades/channel/stable/cloud/version`;
  return { fault: answer.fault, tries: server.asked.length, waits: ports.waits, url };
}

function expected({ code, tries, says }: Outcome): object {
  return { fault: { code, message: expect.stringMatching(says) }, tries, waits: [1000, 2000].slice(0, tries - 1) };
}

function drip(socket: Socket, first: string, again: string): void {
  socket.write(first);
  const more = (): void => {
    if (!socket.destroyed) socket.write(again, () => setImmediate(more));
  };
  more();
}
