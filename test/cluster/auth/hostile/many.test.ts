import { execFileSync } from "node:child_process";
import { constants } from "node:http2";
import type { TLSSocket } from "node:tls";
import { describe, expect, test } from "vitest";
import { authLimits } from "../../../../src/cluster/auth/limits.ts";
import { isWhole } from "../../../whole.ts";
import { metricsOf } from "../every-metric.ts";
import { call, callIn, forgedFor, session, shakeHands, startWithHosts, status } from "../hosts.ts";
import { startAuthProcess } from "../process.ts";
import { honestBeside } from "./honest.ts";

const mayHaveOpen = execFileSync("sh", ["-c", "ulimit -Hn"], { encoding: "utf8" }).trim();
/** As many as auth is to bear, in the whole run. */
const idle = isWhole ? 10_000 : 400;
const bears = mayHaveOpen === "unlimited" || Number(mayHaveOpen) > idle + 500;
if (!bears) console.warn(`SKIPPED: ${idle} idle connections: this process may have ${mayHaveOpen} files open`);

async function connectionsOf(auth: { readonly diagnosticsPort: number }): Promise<number> {
  return Number(/^svc_auth_connections (\d+)$/m.exec(await metricsOf(auth))?.[1]);
}

describe("idle connections", () => {
  test.skipIf(!bears)(`of ${idle} strangers are borne, and hosts are answered`, async () => {
    await using auth = await startAuthProcess();
    const node = await auth.join("node");
    const beside = honestBeside(node.trusting);
    const sockets: TLSSocket[] = [];
    while (sockets.length < idle) {
      const some = Array.from({ length: 200 }, (_, index) =>
        shakeHands(auth.stranger, { ALPNProtocols: [index % 2 === 0 ? "h2" : "http/1.1"] }),
      );
      sockets.push(...(await Promise.all(some)));
    }
    for (const socket of sockets) socket.on("error", () => undefined);
    expect(await beside.end()).toEqual([]);
    // Some 40 KiB each, from the source.
    expect(auth.memory().peak).toBeLessThan(330 + (idle * 60) / 1024);
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => connectionsOf(auth)).toBe(0);
    expect(await call(node.trusting, status, {})).toMatchObject({ status: 200 });
  });

  test("make room at the limit: those of the address that has the most, and first those that were quiet for longest", async () => {
    await using running = await startWithHosts({ limits: { connections: 20, mostConnections: 22 } });
    const node = await running.join("node");
    const honest = session({ ...node.trusting, localAddress: "127.0.0.3" });
    expect(await callIn(honest, status, {})).toMatchObject({ status: 200 });
    for (let come = 0; come < 60; come += 1) {
      (await shakeHands({ ...running.stranger, localAddress: "127.0.0.2" })).on("error", () => undefined);
      expect(await call({ ...node.trusting, localAddress: "127.0.0.4" }, status, {})).toMatchObject({ status: 200 });
    }
    expect(await callIn(honest, status, {})).toMatchObject({ status: 200 });
    honest.destroy();
    expect(await connectionsOf(running.auth)).toBeLessThanOrEqual(22);
    expect(running.lines.filter(({ sentence }) => sentence.startsWith("there are too many connections"))).toHaveLength(1);
  });

  test("are as many as a machine bears that has a gigabyte for it", () => {
    expect(authLimits.mostConnections).toBeGreaterThan(authLimits.connections);
    expect(authLimits.connections).toBeGreaterThanOrEqual(10_000);
  });
});

describe("too many calls at once", () => {
  test("of one address are counted for each certificate alone, and together for all who have shown none", async () => {
    const gate = Promise.withResolvers<void>();
    await using running = await startWithHosts({
      limits: { callsOfOneAddress: 2 },
      storeFor: (store) => ({ ...store, about: () => gate.promise.then(() => store.about()) }),
    });
    const [busy, other] = [await running.join("node"), await running.join("node")];
    const opened = session(busy.trusting);
    const waiting = [callIn(opened, status, {}), callIn(opened, status, {})];
    await expect.poll(() => call(busy.trusting, "TokenService/ListTokens", {}).then((told) => told.status)).toBe(503);
    // Through one proxy they all have its address.
    expect(await call(other.trusting, "TokenService/ListTokens", {})).toMatchObject({ status: 403 });
    const strangers = [session(running.stranger), session(await forgedFor(running, "node"))];
    // Half a call keeps its place.
    const half = { ":method": "POST", ":path": "/svc.v1.JoinService/Join", "content-type": "application/json" };
    for (const one of strangers) one.request(half).on("error", () => undefined);
    const refused = (): Promise<number> => call(running.stranger, status, {}).then((told) => told.status);
    await expect.poll(refused).toBe(503);
    expect(await call(other.trusting, "TokenService/ListTokens", {})).toMatchObject({ status: 403 });
    gate.resolve();
    expect((await Promise.all(waiting)).map((told) => told.status)).toEqual([200, 200]);
    for (const one of [opened, ...strangers]) one.destroy();
  });

  test("of one host are told to come again, in the protocol's words; those of others are answered", async () => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    await using running = await startWithHosts({
      limits: { callsOfOneAddress: 4 },
      storeFor: (store) => ({ ...store, about: () => gate.then(() => store.about()) }),
    });
    const [node, other] = [await running.join("node"), await running.join("node")];
    const opened = session({ ...node.trusting, localAddress: "127.0.0.2" });
    const waiting = Array.from({ length: 4 }, () => callIn(opened, status, {}));
    const crowd = { ...node.trusting, localAddress: "127.0.0.2" };
    const refused = (): Promise<number> => call(crowd, "TokenService/ListTokens", {}).then((answer) => answer.status);
    await expect.poll(refused).toBe(503);
    const told = await call(crowd, status, {});
    expect([told.body, told.headers["retry-after"]]).toEqual([{ code: "unavailable", message: expect.any(String) }, "5"]);
    expect(await call({ ...other.trusting, localAddress: "127.0.0.2" }, "TokenService/ListTokens", {})).toMatchObject({
      status: 403,
    });
    release();
    expect((await Promise.all(waiting)).map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
    expect(await call(crowd, status, {})).toMatchObject({ status: 200 });
    opened.destroy();
  });

  test("that are taken back count until their work is done, and leave no warning", async () => {
    const gate = Promise.withResolvers<void>();
    await using running = await startWithHosts({
      limits: { callsOfOneAddress: 2, unreadMs: 20 },
      storeFor: (store) => ({ ...store, about: () => gate.promise.then(() => store.about()) }),
    });
    const node = await running.join("node");
    const opened = session(node.trusting);
    const asked = [1, 2].map(() => {
      const path = `/svc.v1.${status}`;
      const one = opened.request({ ":method": "POST", ":path": path, "content-type": "application/json" });
      one.on("error", () => undefined).end("{}");
      return one;
    });
    const another = (): Promise<number> => call(node.trusting, "TokenService/ListTokens", {}).then((told) => told.status);
    await expect.poll(another).toBe(503);
    for (const one of asked) one.close(constants.NGHTTP2_CANCEL);
    await new Promise((resolve) => opened.ping(resolve));
    expect(await another()).toBe(503);
    gate.resolve();
    await expect.poll(another).toBe(403);
    expect(await metricsOf(running.auth)).toContain(`svc_auth_calls_total{method="${status}",outcome="gone"} 2\n`);
    expect(running.lines.filter(({ level }) => level === "warning")).toEqual([]);
    opened.destroy();
  });
});
