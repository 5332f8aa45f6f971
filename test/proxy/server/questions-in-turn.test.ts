import { connect, type Socket } from "node:net";
import { connect as connectSecurely } from "node:tls";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { createAuthority } from "../../machine/network/fixture/authority.ts";
import { isWhole } from "../../whole.ts";
import { channelPath, loaded, running, type Started } from "./running.ts";
import { secure } from "./secure.ts";

const question = `GET ${channelPath("default")} HTTP/1.1\r\nHost: a\r\n\r\n`;
const many = isWhole ? 100_000 : 10_000;
/** As much as fits into one piece that is read, where it is as short as can be. */
const mostUnanswered = 10;
/** What the stream of a connection holds, and what two reads in a row bring beyond that. */
const mostUnread = (16 + 2 * 64) * 1024;

const authority = createAuthority("one");
afterAll(() => authority.remove());
const open: { readonly close: () => Promise<void> | void }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0).toReversed()) await thing.close();
});

async function up(scheme: "http" | "https", unreadBytes?: number): Promise<Started> {
  const pair = authority.issue({ name: "a.example", altName: "DNS:a.example" });
  const of = scheme === "https" ? await secure("{}", pair) : await loaded("{}");
  const server = await running(of, unreadBytes === undefined ? {} : { unreadBytes });
  open.push({ close: server.stop });
  return server;
}

/** Asks and asks, and reads nothing for now. */
function pipeline(server: Started, times: number): Socket {
  const at = { port: server.port, host: "127.0.0.1" };
  const socket = server.url.startsWith("https") ? connectSecurely({ ...at, rejectUnauthorized: false }) : connect(at);
  socket.on("error", () => undefined);
  socket.pause().write(question.repeat(times));
  open.push({ close: () => void socket.destroy() });
  return socket;
}

async function isAnswered(server: Started): Promise<boolean> {
  const at = { port: server.port, host: "127.0.0.1" };
  const socket = server.url.startsWith("https") ? connectSecurely({ ...at, rejectUnauthorized: false }) : connect(at);
  const answer = await new Promise<string>((resolve, reject) => {
    socket
      .on("error", reject)
      .once("data", (chunk: Buffer) => resolve(chunk.toString()))
      .write(question);
  });
  socket.destroy();
  return answer.startsWith("HTTP/1.1 200 ");
}

describe.each(["http", "https"] as const)("over %s", (scheme) => {
  test("a client that asks without reading has few unanswered requests and few unread bytes, and loses nothing", async () => {
    const server = await up(scheme);
    const { connections } = server.live.serving;
    const client = pipeline(server, many);
    let questions = many;
    const isStuck = (): boolean => connections.all().some(({ socket, unread }) => unread > 0 && socket.writableLength > 0);
    // The system keeps some answers for either side: how many differs from machine to machine.
    const askOn = (): boolean => {
      if (isStuck()) return true;
      if (client.writableLength === 0) {
        client.write(question.repeat(many));
        questions += many;
      }
      return false;
    };
    await expect.poll(askOn).toBe(true);
    const [connection] = connections.all();
    expect(connection?.unanswered).toBeLessThanOrEqual(mostUnanswered);
    expect(connection?.unread).toBeLessThanOrEqual(mostUnread);
    expect(await isAnswered(server)).toBe(true);

    let answers = 0;
    let rest = "";
    client.on("data", (chunk: Buffer) => {
      const text = rest + chunk.toString("latin1");
      answers += text.split("v15.4.6\n").length - 1;
      rest = text.slice(text.lastIndexOf("\n") + 1);
    });
    client.resume();
    await expect.poll(() => answers).toBe(questions);
  });

  test("if there are too many unread bytes, the connections with the most are closed, and no others", async () => {
    const server = await up(scheme, 100 * 1024);
    const { connections, meter } = server.live.serving;
    const small = pipeline(server, 1);
    for (let come = 0; come < 8; come += 1) pipeline(server, many);
    await expect.poll(() => meter.shed["most-unread"]).toBeGreaterThan(0);
    expect(connections.all().reduce((sum, { unread }) => sum + unread, 0)).toBeLessThanOrEqual(100 * 1024);
    expect([await isAnswered(server), small.readyState]).toEqual([true, "open"]);
    expect(server.lines.map(({ sentence }) => sentence)).toEqual([expect.stringMatching(/^too much is asked by clients/)]);
  });
});
