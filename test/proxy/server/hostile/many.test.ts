import { execFileSync } from "node:child_process";
import { connect, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { serveRaw } from "../../../machine/network/fixture/server.ts";
import { isWhole } from "../../../whole.ts";
import { channelPath, loaded, raw, running } from "../running.ts";
import { startVictim } from "./victim.ts";

const asked = `GET ${channelPath("default")} HTTP/1.1\r\nHost: a\r\n\r\n`;

/** What this process may have open, and so the server that it starts. */
const mayHaveOpen = execFileSync("sh", ["-c", "ulimit -Hn"], { encoding: "utf8" }).trim();
const idle = isWhole ? 10_000 : 1000;
const bears = mayHaveOpen === "unlimited" || Number(mayHaveOpen) > idle + 500;

/** Asks once, and then nothing more. */
function idleConnection(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(asked));
    socket.once("data", () => resolve(socket));
    socket.once("error", reject);
  });
}

describe("idle connections", () => {
  test.skipIf(!bears)(
    `of ${idle} clients are all kept (this process may have ${mayHaveOpen} files open), and the next one is answered`,
    async () => {
      const victim = await startVictim();
      const connections = async (): Promise<string | undefined> => {
        const metrics = await (await fetch(`http://127.0.0.1:${victim.lookPort}/metrics`)).text();
        return /^svc_proxy_connections (\d+)$/m.exec(metrics)?.[1];
      };
      const sockets: Socket[] = [];
      while (sockets.length < idle) {
        sockets.push(...(await Promise.all(Array.from({ length: 500 }, () => idleConnection(victim.port)))));
      }
      expect(await connections()).toBe(String(idle));
      expect(await raw(victim.port, asked, 1)).toMatch(/^HTTP\/1\.1 200 [^]*v15\.4\.6\n$/);
      // Reset, so that no port of this machine waits for a minute.
      for (const socket of sockets) socket.resetAndDestroy();
      await expect.poll(connections).toBe("0");
      expect(await raw(victim.port, asked, 1)).toMatch(/^HTTP\/1\.1 200 /);
      await victim.stop();
    },
  );
});

/** Connects from an address of its own, and then asks nothing. */
function silent(port: number, localAddress: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", localAddress }, () => resolve(socket));
    socket.once("error", reject);
  });
}

describe("at the limit of connections", () => {
  test("idle ones of one address lock no other client out, however many come", async () => {
    const crowded = await running(await loaded("{}"), { connections: 20, mostConnections: 22 });
    const { connections, meter } = crowded.live.serving;
    const others = await Promise.all(["127.0.0.3", "127.0.0.4"].map((address) => silent(crowded.port, address)));
    for (let come = 1; come <= 60; come += 1) {
      (await silent(crowded.port, "127.0.0.2")).on("error", () => undefined);
      expect(await raw(crowded.port, asked, 1)).toMatch(/^HTTP\/1\.1 200 /);
    }
    await expect.poll(() => connections.count).toBeLessThanOrEqual(20);
    expect(others.map(({ readyState }) => readyState)).toEqual(["open", "open"]);
    expect(meter.shed["most-connections"]).toBeGreaterThanOrEqual(40);
    const told = crowded.lines.filter(({ level }) => level === "warning");
    expect(told.map(({ sentence, fields }) => [sentence, fields])).toEqual([
      [expect.stringMatching(/^there are too many connections: idle ones were closed/), { closed: 1, from: "127.0.0.2" }],
    ]);
    await crowded.stop();
  });

  test("a client that waits for an answer keeps its connection; a new one gets 503, and beyond the second limit nothing", async () => {
    const gate = Promise.withResolvers<void>();
    const upstream = await serveRaw((socket) => {
      void gate.promise.then(() => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnone"));
    });
    const crowded = await running(await loaded(`{one: {forward_url: "http://127.0.0.1:${upstream.port}"}}`), {
      connections: 2,
      mostConnections: 4,
    });
    const { connections } = crowded.live.serving;
    const unanswered = (): number => connections.all().filter((connection) => connection.unanswered > 0).length;
    const waiting = [1, 2].map(() => raw(crowded.port, asked.replace("default", "one"), 1));
    await expect.poll(unanswered).toBe(2);
    expect(await raw(crowded.port, asked)).toMatch(
      /^HTTP\/1\.1 503 [^]*Retry-After: 60\r\n[^]*Connection: close\r\n[^]*too-many-connections/,
    );
    await expect.poll(() => connections.count).toBe(2);
    gate.resolve();
    for (const answer of await Promise.all(waiting)) expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*none\n$/);
    await crowded.stop();
    await upstream.close();
  });
});
