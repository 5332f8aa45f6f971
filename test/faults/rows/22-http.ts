import { ok } from "node:assert/strict";
import type { RequestListener } from "node:http";
import type { FaultCode } from "../../../src/rules/fault/table.ts";
import { listen } from "../../system/lab/server.ts";
import { configure } from "../../system/updater.ts";
import { expectMoved, expectStopped } from "../expect-pass.ts";
import { onApt, type Row, type Scenario } from "../scenario.ts";
import type { Stage } from "../stage.ts";

type Case = {
  readonly name: string;
  readonly answer: RequestListener;
  readonly status: number;
  readonly code: FaultCode;
  /** Not sooner, and not later. */
  readonly seconds?: readonly [least: number, most: number];
};

const status =
  (code: number, headers: Readonly<Record<string, string>> = {}, body: string | Uint8Array = ""): RequestListener =>
  (_, response) =>
    void response.writeHead(code, { "content-type": "text/plain", ...headers }).end(body);

const body = (bytes: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): RequestListener =>
  status(200, headers, bytes);

const unreachable = { status: 75, code: "channel-unreachable" } as const;
const failing = { status: 75, code: "channel-failing" } as const;
const invalid = { status: 65, code: "answer-invalid" } as const;

const answers: readonly Case[] = [
  { name: "204", answer: status(204), ...invalid },
  { name: "304", answer: status(304), ...invalid },
  { name: "401", answer: status(401), status: 69, code: "channel-refused" },
  { name: "403", answer: status(403), status: 69, code: "channel-refused" },
  { name: "404", answer: status(404), status: 69, code: "channel-unknown" },
  { name: "418", answer: status(418), ...invalid },
  { name: "500", answer: status(500), ...failing, seconds: [1, 20] },
  { name: "503", answer: status(503), ...failing, seconds: [1, 20] },
  { name: "429 without a word when", answer: status(429), ...failing, seconds: [1, 20] },
  { name: "429, again after 2 seconds", answer: status(429, { "retry-after": "2" }), ...failing, seconds: [4, 20] },
  { name: "429, again after an hour", answer: status(429, { "retry-after": "3600" }), ...failing, seconds: [0, 10] },
  {
    name: "429, again after a date",
    answer: (_, response) => void response.writeHead(429, { "retry-after": new Date(Date.now() + 3000).toUTCString() }).end(),
    ...failing,
    seconds: [2, 25],
  },
  { name: "a redirect to itself", answer: status(302, { location: "?again" }), status: 65, code: "redirect-refused" },
  { name: "a connection that is cut at once", answer: (request) => void request.socket.destroy(), ...unreachable },
  {
    name: "a connection that is cut in the middle of the body",
    answer: (_, response) => {
      response.writeHead(200, { "content-length": 20 });
      response.write("v15", () => response.destroy());
    },
    ...unreachable,
  },
  {
    name: "a body that drips",
    answer: (_, response) => {
      response.writeHead(200, { "content-length": 1000 });
      const timer = setInterval(() => response.write("v"), 200);
      response.on("close", () => clearInterval(timer));
    },
    ...unreachable,
    seconds: [0, 90],
  },
];

/** Row 23: what is no version. */
const bodies: readonly Case[] = [
  { name: "an empty body", answer: body(""), ...invalid },
  { name: "a log-in page", answer: body("<!DOCTYPE html><title>Sign in</title>", { "content-type": "text/html" }), ...invalid },
  { name: "JSON", answer: body('{"version":"v15.4.6"}', { "content-type": "application/json" }), ...invalid },
  { name: "bytes that are not UTF-8", answer: body(Buffer.from([0xff, 0xfe, 0x31, 0x35])), ...invalid },
  { name: "a version with a NUL in it", answer: body("v15.4\0.6"), ...invalid },
  { name: "half a version", answer: body("v15.4"), ...invalid },
  { name: "two versions", answer: body("v15.4.5\nv15.4.6\n"), ...invalid },
  { name: "a shell command", answer: body("v15.4.6; reboot"), ...invalid },
  { name: "ten megabytes", answer: body(Buffer.alloc(10_000_000, "1")), ...invalid },
  { name: "a compressed body", answer: body(Buffer.from([0x1f, 0x8b, 8, 0]), { "content-encoding": "gzip" }), ...invalid },
  {
    name: "headers without end",
    answer: (_, response) => void response.writeHead(200, { "x-long": "x".repeat(200_000) }).end("v15.4.6"),
    ...invalid,
  },
];

export const http: Row = {
  scenarios: [
    ...answers.flatMap((each) => ask(22, each)),
    ...onApt(22, "the version server answers: every second time 500", async (stage) => {
      const version = await stage.publish();
      let asked = 0;
      const flaky: RequestListener = (request, response) => {
        asked += 1;
        if (asked % 2 === 1) response.writeHead(500).end();
        else response.end(request.url?.endsWith("critical") === true ? "no" : `v${version}`);
      };
      await withServer(stage, flaky, () => expectMoved(stage, version));
    }),
    ...bodies.flatMap((each) => ask(23, each)),
  ],
  unstaged: [],
};

function ask(row: number, { name, answer, status: expected, code, seconds: [least, most] = [0, 60] }: Case): readonly Scenario[] {
  return onApt(row, `the version server answers: ${name}`, (stage) =>
    withServer(stage, answer, async () => {
      const began = performance.now();
      await expectStopped(stage, expected, code);
      const took = (performance.now() - began) / 1000;
      ok(least <= took && took <= most, `it took ${took.toFixed(1)} seconds, not ${least} to ${most}`);
    }),
  );
}

/** In the place of the honest one. */
async function withServer({ host, versions }: Stage, answer: RequestListener, work: () => Promise<unknown>): Promise<void> {
  const server = await listen({ address: host.network.outerAddress }, answer);
  await configure(host, `endpoint: http://outer.test:${server.port}\nallow_plain_http: true\n`);
  try {
    await work();
  } finally {
    await configure(host, `endpoint: ${versions.httpEndpoint}\nallow_plain_http: true\n`);
    await server.goDown();
  }
}
