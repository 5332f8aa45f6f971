import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";
import { afterEach, expect, test } from "vitest";
import type { ClusterId } from "../../../src/cluster/identity/names.ts";
import type { AuthPlace } from "../../../src/cluster/presence/presence.ts";
import { wayToAuth } from "../../../src/cluster/svc/way-to-auth.ts";
import type { Auth } from "../../../src/proxy/server/pass-on.ts";
import { keptLog, type Line } from "../../proxy/server/running.ts";
import { directWays } from "../presence/ways.ts";
import { freePort } from "./process.ts";

const cluster = "00000000-0000-4000-8000-000000000000" as ClusterId;
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

function to(place: AuthPlace | undefined): Auth & { readonly lines: readonly Line[] } {
  const { log, lines } = keptLog();
  return { ...wayToAuth({ auth: () => place, ways: directWays, log }), lines };
}

const at = (port: number): AuthPlace["addresses"][number] => ({ host: "127.0.0.1", port });
const { signal } = new AbortController();

test.each([
  [`auth.${cluster}.svc.internal`, true],
  ["auth.svc.internal", true],
  ["auth.00000000-0000-4000-8000-000000000001.svc.internal", false],
  [`x.auth.${cluster}.svc.internal`, false],
  ["proxy.example.com", false],
])("who asks for %s asks for auth: %s", (name, isAuth) => {
  expect(to({ cluster, addresses: [] }).isAskedFor(name)).toBe(isAuth);
  expect(to(undefined).isAskedFor(name)).toBe(false);
});

test("uses the first address that is reached, as the proxy's own calls do", async () => {
  const server = createServer((socket) => socket.end("auth"));
  servers.push(server.listen({ port: 0, host: "127.0.0.1" }));
  await once(server, "listening");
  const way = to({ cluster, addresses: [at(await freePort()), at((server.address() as AddressInfo).port)] });
  const socket = await way.connect(signal);
  expect(String((await once(socket, "data"))[0])).toBe("auth");
  expect(way.lines).toEqual([]);
});

test("if no address is reached, the log names each, once a minute", async () => {
  const ports = [await freePort(), await freePort()];
  const way = to({ cluster, addresses: ports.map(at) });
  for (let tries = 0; tries < 3; tries += 1)
    await expect(way.connect(signal)).rejects.toThrow("none of 2 addresses leads to auth");
  expect(way.lines).toHaveLength(1);
  expect(way.lines).toMatchObject([{ level: "warning", sentence: "a connection to auth could not be passed on" }]);
  for (const port of ports) expect(way.lines[0]?.fields?.["why"]).toContain(`127.0.0.1:${port}`);
});

test("a client that has gone is not logged", async () => {
  const way = to({ cluster, addresses: [at(await freePort())] });
  await expect(way.connect(AbortSignal.abort())).rejects.toThrow("aborted");
  expect(way.lines).toEqual([]);
});
