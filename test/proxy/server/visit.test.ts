import { request as httpRequest, type ClientRequest } from "node:http";
import { afterEach, expect, test } from "vitest";
import type { Relay, Visit, Visited } from "../../../src/proxy/server/relay.ts";
import { visitLimits } from "../../../src/proxy/server/visit.ts";
import { loaded, running, type Started } from "./running.ts";

const acs = "/v1/webapi/saml/acs";
const form = { "content-type": "application/x-www-form-urlencoded" };
let server: Started | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

async function visited(answer: Partial<Visited> = {}): Promise<{ readonly visits: Visit[]; readonly port: number }> {
  const visits: Visit[] = [];
  const relay: Relay = {
    isForPeople: () => false,
    post: () => Promise.reject(new Error("nobody calls")),
    visit: (visit) => {
      visits.push(visit);
      return Promise.resolve({ status: 200, location: "", cookie: "", isCrossSite: false, page: "a page", ...answer });
    },
  };
  server = await running(await loaded("{}"), {}, { relay });
  return { visits, port: server.port };
}

function ask(port: number, path: string, body?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? "GET" : "POST";
    const asking = httpRequest({ port, host: "127.0.0.1", path, method, headers: body === undefined ? {} : form });
    asking.on("response", (answer) => resolve(answer.resume().statusCode ?? 0)).on("error", reject);
    asking.end(body);
  });
}

/** Sends a part of a form, and never its end. */
function half(port: number): ClientRequest {
  const asking = httpRequest({
    port,
    host: "127.0.0.1",
    path: acs,
    method: "POST",
    headers: { ...form, "content-length": "1000" },
  });
  asking.on("error", () => undefined).write("SAMLResponse=");
  return asking;
}

test("a form is handed on as its fields", async () => {
  const { visits, port } = await visited();
  expect(await ask(port, `${acs}/corp`, "SAMLResponse=a%2B&RelayState=b")).toBe(200);
  expect(visits).toMatchObject([{ path: `${acs}/corp`, query: "SAMLResponse=a%2B&RelayState=b" }]);
});

test.each([
  [true, "None"],
  [false, "Lax"],
])("the cookie is this proxy's alone, also of a sign-in that another site's form ends: %s", async (isCrossSite, sameSite) => {
  const cookie = "a".repeat(64);
  const { port } = await visited({ cookie, isCrossSite });
  const { headers } = await fetch(`http://127.0.0.1:${port}/web/sign-in/a`);
  expect(headers.get("set-cookie")).toBe(
    `__Host-svc-sign-in=${cookie}; Path=/; Max-Age=600; Secure; HttpOnly; SameSite=${sameSite}`,
  );
});

test("forms that come slowly take no place from other browsers", async () => {
  const { port } = await visited();
  const slow = Array.from({ length: visitLimits.atOnceOfOne + 1 }, () => half(port));
  await expect.poll(() => slow.every(({ socket }) => socket?.bytesWritten !== undefined && socket.bytesWritten > 0)).toBe(true);
  expect(await ask(port, "/web/sign-in/a")).toBe(200);
  expect(await ask(port, acs, "RelayState=b")).toBe(200);
  for (const one of slow) one.destroy();
});
