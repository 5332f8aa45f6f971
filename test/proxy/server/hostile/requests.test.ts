import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { channelPath } from "../running.ts";
import { outcomeOf, type Outcome } from "./outcome.ts";
import { startVictim, type Victim } from "./victim.ts";

/*
 * What is sent to svc-proxy in bad faith, and what comes of it. Targets are in asked.test.ts and heads in wrong-with.test.ts of
 * server-rules: here is one of each kind.
 */

let victim: Victim;
beforeAll(async () => {
  victim = await startVictim();
});
afterAll(() => victim.stop());

type Row = readonly [what: string, bytes: string, answers: readonly string[], connection: Outcome["connection"]];

const path = channelPath("default");
const well = "200 v15.4.6";
const host = "Host: a\r\n";
const get = (target: string, headers: string = host): string => `GET ${target} HTTP/1.1\r\n${headers}\r\n`;
const post = (headers: string, body: string): string => `POST ${path} HTTP/1.1\r\n${host}${headers}\r\n${body}`;
const invalid = ["400 request-invalid"];
const posted = ["405 method-not-allowed"];

const rows: Readonly<Record<string, readonly Row[]>> = {
  "a path": [
    ["with a NUL", get("/webapi/pi\0ng"), invalid, "closed"],
    ["that names what every object has", get(channelPath("__proto__")), ["404 channel-unknown"], "kept"],
  ],
  "a target": [
    ["in the absolute form, of whatever host", get(`http://other.example${path}`), [well], "kept"],
    ["that is all of the server", `OPTIONS * HTTP/1.1\r\n${host}\r\n`, ["404 not-found"], "closed"],
    ["that is a tunnel", `CONNECT a.example:443 HTTP/1.1\r\n${host}\r\n`, posted, "closed"],
    ["that is a tunnel, with a question in it", `CONNECT a:1 HTTP/1.1\r\n${host}\r\n${get(path)}`, posted, "closed"],
  ],
  "a Host": [
    ["that is not there", get(path, ""), ["400 host-invalid"], "closed"],
    ["that is there twice", get(path, `${host}Host: b\r\n`), ["400 host-invalid"], "closed"],
    ["that is not there, in HTTP/1.0", `GET ${path} HTTP/1.0\r\n\r\n`, [well], "closed"],
  ],
  headers: [
    ["that are too large", get(path, `${host}Cookie: ${"a".repeat(9000)}\r\n`), ["431 headers-too-large"], "closed"],
    ["that are too many", get(path, `${host}${"a: b\r\n".repeat(1500)}`), ["431 headers-too-large"], "closed"],
    ["with a NUL", get(path, `${host}X: a\0b\r\n`), invalid, "closed"],
    ["that go on in another line", get(path, `${host}X: a\r\n b\r\n`), invalid, "closed"],
    ["with a line that a carriage return alone ends", get(path, "Host: a\rX: b\r\n"), invalid, "closed"],
    ["that want another protocol", get(path, `${host}Connection: Upgrade\r\nUpgrade: h2c\r\n`), [well], "kept"],
    ["that expect the impossible", get(path, `${host}Expect: the-moon\r\n`), ["400 expect-refused"], "closed"],
    ["that expect it before a body", post("Expect: 100-continue\r\nContent-Length: 5\r\n", ""), ["400 expect-refused"], "closed"],
    ["with ten thousand letters of tags", get(path, `${host}If-None-Match: ${'"",'.repeat(2400)}\r\n`), [well], "kept"],
  ],
  "a body": [
    ["on GET", get(path, `${host}Content-Length: 5\r\n`) + "hello", [well], "closed"],
    ["on GET, in chunks", get(path, `${host}Transfer-Encoding: chunked\r\n`) + "5\r\nhello\r\n0\r\n\r\n", [well], "closed"],
    ["on GET that never comes", get(path, `${host}Content-Length: 1000000000\r\n`), [well], "closed"],
    ["on GET that is a question itself", get(path, `${host}Content-Length: 100\r\n`) + get(path), [well], "closed"],
    ["on GET in an encoding that is none", get(path, `${host}Transfer-Encoding: gzip\r\n`), [well], "closed"],
    ["on POST that never comes", post("Content-Length: 100\r\n", "x"), posted, "closed"],
    ["on POST, and a question after it", post("Content-Length: 5\r\n", `hello${get(path)}`), posted, "closed"],
    ["on POST, in chunks that are none", post("Transfer-Encoding: chunked\r\n", "zz\r\n"), posted, "closed"],
    [
      "on POST, in a chunk with a book beside it",
      post("Transfer-Encoding: chunked\r\n", `5;${"a".repeat(20_000)}`),
      posted,
      "closed",
    ],
    ["of two lengths", post("Content-Length: 1\r\nContent-Length: 2\r\n", "x"), invalid, "closed"],
    ["with a length beside chunks", post("Content-Length: 1\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"), invalid, "closed"],
  ],
  "what is no request": [
    ["but HTTP/0.9", `GET ${path}\r\n\r\n`, invalid, "closed"],
    ["but the first words of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", invalid, "closed"],
    ["but has lines that end otherwise", `GET ${path} HTTP/1.1\nHost: a\n\n`, invalid, "closed"],
    ["but the beginning of TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", invalid, "closed"],
  ],
  "a connection with": [
    [
      "three questions at once has its answers in order",
      get(path) + get(channelPath("nowhere")) + get(channelPath("stable/cloud")),
      [well, "404 channel-unknown", "200 v15.4.7"],
      "kept",
    ],
    ["a thousand questions at once has them all", get(path).repeat(1000), Array.from({ length: 1000 }, () => well), "kept"],
    ["a question and garbage has its answer first", `${get(path)}\0\0\0\0`, [well, ...invalid], "closed"],
  ],
};

describe.each(Object.entries(rows))("%s", (_of, cases) => {
  test.each(cases)("%s", async (_what, bytes, answers, connection) => {
    expect(await outcomeOf(victim.port, { bytes, answers: answers.length })).toEqual({ answers, connection });
    const next = await fetch(`http://127.0.0.1:${victim.port}${path}`);
    expect(`${next.status} ${await next.text()}`).toBe(`${well}\n`);
  });
});

test("half a request, and then the end of the connection, is refused", async () => {
  const bytes = "GET /webapi/ping HTTP/1.1\r\nHost: a";
  const ended = outcomeOf(victim.port, { bytes, answers: 1, send: (socket) => void socket.end(bytes) });
  expect(await ended).toEqual({ answers: invalid, connection: "closed" });
});
