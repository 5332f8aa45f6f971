import { describe, expect, test } from "vitest";
import { isForPeople } from "../../../src/cluster/api/for-people.ts";
import { methods } from "../../../src/cluster/auth/methods.ts";
import { place, service, typed } from "./process.ts";
import { configured, portIn } from "./configured.ts";

const people = ["visitors", "people", "known", "permitted", "judged"];

test.each(Object.entries(methods))("a proxy hands on %s if people may call it, and else not", (method, { kind }) => {
  const isStream = method === "svc.v1.ShellService/OpenShell";
  expect(isForPeople(`/${method}`)).toBe(people.includes(kind) && !isStream);
});

function call(text: string, method: string): Promise<Response> {
  const url = `http://127.0.0.1:${portIn(text, "web_listen_addr")}/svc.v1.${method}`;
  return fetch(url, { method: "POST", body: "{}", headers: { "content-type": "application/json" } });
}

describe("the proxy beside auth", () => {
  test("belongs to the cluster by itself, and hands calls on", async () => {
    const text = await configured();
    using at = place(text);
    {
      await using svc = await service(at.config);
      await svc.said("has joined the cluster of its auth service");
      const greeted = await call(text, "SessionService/Greet");
      expect([greeted.status, await greeted.json()]).toMatchObject([200, { clusterName: "example", version: "0.0.0-source" }]);
      const refused = await call(text, "ResourceService/ListResources");
      expect([refused.status, await refused.json()]).toMatchObject([401, { code: "unauthenticated" }]);
      expect((await call(text, "JoinService/Join")).status).toBe(404);
      expect((await call(text, "ClusterService/Backup")).status).toBe(404);
      const { out } = await typed("tctl", "instances", "ls", "--kind=proxy", "-c", at.config);
      expect(out).toMatch(/^[0-9a-f-]{36} +\S+ +proxy /m);
      svc.kill("SIGTERM");
      expect(await svc.ended).toBe(0);
    }
    // The same one after a restart.
    await using again = await service(at.config);
    expect(again.log()).not.toContain("has joined the cluster of its auth service");
    expect((await call(text, "SessionService/Greet")).status).toBe(200);
  });
});

describe("a proxy without a cluster", () => {
  test("serves its channels, and says that there is nobody to hand calls on to", async () => {
    const text = (await configured()).replace(/^auth_service.*$/m, "");
    using at = place(text);
    await using svc = await service(at.config);
    const answer = await call(text, "SessionService/Greet");
    expect([answer.status, await answer.json()]).toMatchObject([503, { code: "unavailable" }]);
    await svc.said("this proxy belongs to no cluster");
  });
});
