import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { serveRaw } from "../../../machine/network/fixture/server.ts";
import { channelPath, loaded, running, type Started } from "../running.ts";

/** What an upstream does to a question; the head of it is given. */
type Manner = (socket: Socket, head: string) => void;

const answer = (status: string, headers: readonly string[], body: string): string =>
  `${[`HTTP/1.1 ${status}`, `Content-Length: ${body.length}`, ...headers].join("\r\n")}\r\n\r\n${body}`;

const saying =
  (bytes: string): Manner =>
  (socket) =>
    void socket.end(bytes, "latin1");

const honest =
  (version: string): Manner =>
  (socket, head) =>
    void socket.write(answer("200 OK", [], head.includes("/version") ? version : "no"));

function repeating(bytes: string, everyMs: number): Manner {
  return (socket) => {
    socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n");
    const timer = setInterval(() => socket.write(bytes), everyMs);
    socket.on("close", () => clearInterval(timer));
  };
}

/** One of each kind; test/machine/network/hostile.test.ts has every other. */
const lies: readonly (readonly [what: string, lie: Manner, why: RegExp])[] = [
  [
    "a page with a version in it",
    saying(answer("200 OK", [], "v99.0.0 <html>")),
    /a text of 14 bytes that begins with v99\.0\.0/,
  ],
  ["a redirect in a circle", saying(answer("302 Found", ["Location: /one/version"], "")), /after 3 redirects/],
];

type Stage = {
  readonly server: Started;
  /** What the upstream does from now on, and at once: a reload asks it again. */
  readonly behave: (manner: Manner) => void;
};

async function withUpstream(first: Manner, play: (stage: Stage) => Promise<void>): Promise<void> {
  let manner = first;
  const upstream = await serveRaw((socket, head) => manner(socket, head));
  const of = await loaded(`{one: {forward_url: "http://127.0.0.1:${upstream.port}/one"}}`);
  const server = await running(of);
  const behave = (next: Manner): void => {
    manner = next;
    server.reload(of);
  };
  try {
    await play({ server, behave });
  } finally {
    await server.stop();
    await upstream.close();
  }
}

async function served(server: Started, channel: string): Promise<string> {
  const response = await fetch(`${server.url}${channelPath(channel)}`);
  const text = (await response.text()).trim();
  return `${response.status} ${response.status === 200 ? text : (JSON.parse(text) as { fault: { code: string } }).fault.code}`;
}

async function stateOf(server: Started): Promise<unknown> {
  const response = await fetch(`${server.lookUrl}/readyz`);
  return ((await response.json()) as { upstreams: Record<string, unknown> }).upstreams["one"];
}

describe("an upstream that was heard and then says", () => {
  test.each(lies)("%s: its last answer stays, the log says why, and the next true one counts", (_what, lie, why) =>
    withUpstream(honest("v15.4.6"), async ({ server, behave }) => {
      expect(await served(server, "one")).toBe("200 v15.4.6");
      behave(lie);
      await expect.poll(() => stateOf(server)).toBe("stale");
      expect(server.lines.find(({ sentence }) => sentence === "an upstream gives no version")?.fields?.["why"]).toMatch(why);
      expect([await served(server, "one"), await served(server, "default")]).toEqual(["200 v15.4.6", "200 v15.4.6"]);
      behave(honest("v15.4.7"));
      await expect.poll(() => served(server, "one")).toBe("200 v15.4.7");
      expect(await stateOf(server)).toBe("fresh");
    }),
  );
});

test("a stream without end is not read to its end: the connection is closed", async () => {
  let isOpen = true;
  const endless: Manner = (socket, head) => {
    socket.on("close", () => (isOpen = false));
    repeating("v99.0.0 ".repeat(10_000), 1)(socket, head);
  };
  await withUpstream(endless, async ({ server }) => {
    expect(await served(server, "one")).toBe("503 upstream-unknown");
    await expect.poll(() => isOpen).toBe(false);
  });
});
