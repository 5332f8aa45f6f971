import { execFileSync } from "node:child_process";
import { connect, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { limits } from "../../../src/server/limits.ts";
import { channelPath, loaded, raw, running } from "../running.ts";
import { startVictim } from "./victim.ts";

const asked = `GET ${channelPath("default")} HTTP/1.1\r\nHost: a\r\n\r\n`;
const patient = { timeout: 20_000 };

/** What this process may have open, and so the server that it starts. */
const mayHaveOpen = execFileSync("sh", ["-c", "ulimit -Hn"], { encoding: "utf8" }).trim();
const idle = 10_000;
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
    `of 10,000 clients are all kept (this process may have ${mayHaveOpen} files open), and the next one is answered`,
    { timeout: 120_000 },
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
      await expect.poll(connections, patient).toBe("0");
      expect(await raw(victim.port, asked, 1)).toMatch(/^HTTP\/1\.1 200 /);
      await victim.stop();
    },
  );

  test("are half of what an instance bears, which is told what is too many before it is cut", () => {
    expect(limits.connections).toBe(2 * idle);
    expect(limits.mostConnections).toBeGreaterThan(limits.connections);
  });

  test("beyond the first limit leave 503 to a new one, beyond the second no word; the old ones stay, and all is well once they go", async () => {
    const crowded = await running(await loaded("{}"), { connections: 2, mostConnections: 4 });
    const { serving } = crowded.live;
    const old = [await idleConnection(crowded.port), await idleConnection(crowded.port)];
    const refused = await raw(crowded.port, asked);
    expect(refused).toMatch(/^HTTP\/1\.1 503 [^]*Retry-After: 60\r\n[^]*Connection: close\r\n[^]*too-many-connections/);
    await expect.poll(() => serving.connections, patient).toBe(2);

    old.push(...[1, 2].map(() => connect(crowded.port, "127.0.0.1")));
    await expect.poll(() => serving.connections, patient).toBe(4);
    expect(await raw(crowded.port, asked)).toBe("");
    expect(serving.connections).toBe(4);

    for (const socket of old) socket.destroy();
    await expect.poll(() => serving.connections, patient).toBe(0);
    expect(await raw(crowded.port, asked, 1)).toMatch(/^HTTP\/1\.1 200 /);
    await crowded.stop();
  });
});
