import { connect } from "node:net";
import { once } from "node:events";
import { describe, expect } from "vitest";
import { listenForDiagnostics } from "../../../src/cluster/auth/diagnostics.ts";
import { authLimits } from "../../../src/cluster/auth/limits.ts";
import { Fault } from "../../../src/rules/fault/fault.ts";
import type { Store } from "../../../src/cluster/storage/port.ts";
import { excerpt } from "../../documents.ts";
import { everyMetric, metricsOf } from "./every-metric.ts";
import { call, forgedFor, startWithHosts, status, type WithHosts } from "./hosts.ts";
import { testWithHosts as test } from "./fixtures.ts";

async function page({ auth }: WithHosts, path: string, method = "GET"): Promise<readonly [number, unknown]> {
  const response = await fetch(`http://127.0.0.1:${auth.diagnosticsPort}${path}`, { method });
  return [response.status, method === "HEAD" ? undefined : await response.json()];
}

function sample(metrics: string, series: string): number | undefined {
  const line = metrics.split("\n").find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

describe("the ops listener", () => {
  test("names its setting, with the section, where another listens", async ({ running }) => {
    const at = { host: "127.0.0.1", port: running.auth.diagnosticsPort };
    const pages = { metrics: () => Promise.resolve(""), readiness: () => Promise.reject(new Error("unasked")) };
    const second = listenForDiagnostics(pages, { at, limits: authLimits, told: () => undefined, log: () => undefined });
    await expect(second).rejects.toMatchObject({ message: expect.stringContaining("(auth_service.diag_addr)") });
  });

  test("says that it lives, and that it is ready; nothing else", async ({ running }) => {
    expect(await page(running, "/healthz")).toEqual([200, { healthy: true }]);
    expect(await page(running, "/readyz?x=1")).toEqual([200, { ready: true, mood: "open", store: "readable" }]);
    expect(await page(running, "/readyz", "HEAD")).toEqual([200, undefined]);
    expect(await page(running, "/")).toMatchObject([404, { error: "ask for /healthz, /readyz or /metrics" }]);
    expect(await page(running, "/healthz", "POST")).toMatchObject([405, {}]);
  });

  test("says that it is not ready while the store fails, and goes on", async () => {
    let isFailing = false;
    const storeFor = (store: Store): Store => ({
      ...store,
      about: async () => {
        if (isFailing) throw new Error("the disk is gone");
        return store.about();
      },
    });
    await using running = await startWithHosts({ storeFor });
    isFailing = true;
    expect(await page(running, "/readyz")).toEqual([
      503,
      { ready: false, mood: "open", store: "failing", why: "the disk is gone" },
    ]);
    const told = await metricsOf(running.auth);
    expect([sample(told, "svc_auth_store_readable"), sample(told, "svc_auth_tokens")]).toEqual([0, undefined]);
    expect(sample(told, "svc_auth_connections")).toBe(0);
    expect(running.lines.some(({ fields }) => String(fields["why"]).includes("the disk is gone"))).toBe(true);
    isFailing = false;
    expect(await page(running, "/readyz")).toMatchObject([200, { ready: true }]);
    const again = await metricsOf(running.auth);
    expect([sample(again, "svc_auth_store_readable"), sample(again, "svc_auth_tokens")]).toEqual([1, 0]);
  });

  test("says that changes fail where the store can still be read, until one is made", async () => {
    let isFull = false;
    const storeFor = (store: Store): Store => ({
      ...store,
      commit: async (wanted) => {
        if (isFull) throw new Fault("store-full", { message: "its disk is full", hint: "make room" });
        return store.commit(wanted);
      },
    });
    await using running = await startWithHosts({ storeFor });
    const add = (name: string): Promise<unknown> =>
      running.ask("ResourceService/CreateResource", {
        resource: { kind: "user", version: "v2", metadata: { name }, spec: { roles: ["editor"] } },
      });
    isFull = true;
    await add("alice");
    const why = "its disk is full";
    expect(await page(running, "/readyz")).toEqual([503, { ready: false, mood: "open", store: "failing", why }]);
    expect(await running.ask("ClusterService/GetStatus", {})).toMatchObject({ body: { storeFault: why } });
    isFull = false;
    await add("bob");
    expect(await page(running, "/readyz")).toMatchObject([200, { ready: true }]);
  });

  test("cuts whoever sends headers without end", async () => {
    await using running = await startWithHosts({ limits: { headersMs: 200, lookForSlowMs: 50 } });
    const socket = connect(running.auth.diagnosticsPort, "127.0.0.1", () => socket.write("GET /healthz HTTP/1.1\r\n"));
    socket.on("error", () => undefined);
    await once(socket.resume(), "close");
    expect(await page(running, "/healthz")).toEqual([200, { healthy: true }]);
  });
});

describe("the metrics", () => {
  test("count who has joined, what was issued, and what was refused for which reason", async ({ running }) => {
    const [node] = [await running.join("node"), await running.join("proxy")];
    await call(node.trusting, status, {});
    await call(node.trusting, "TokenService/ListTokens", {});
    await call(await forgedFor(running, "node"), status, {});
    await call(running.stranger, status, {});
    const told = await metricsOf(running.auth);
    const expected = {
      'svc_auth_instances{kind="node"}': 1,
      'svc_auth_instances{kind="proxy"}': 1,
      'svc_auth_instances{kind="auth"}': 1,
      svc_auth_tokens: 2,
      'svc_auth_certificates_issued_total{by="join"}': 2,
      'svc_auth_certificates_issued_total{by="own"}': 1,
      'svc_auth_calls_total{method="JoinService/Join",outcome="ok"}': 2,
      'svc_auth_calls_total{method="ClusterService/GetStatus",outcome="ok"}': 1,
      'svc_auth_calls_total{method="ClusterService/GetStatus",outcome="unauthenticated"}': 2,
      'svc_auth_calls_total{method="TokenService/ListTokens",outcome="permission_denied"}': 1,
      'svc_auth_refused_total{reason="not-allowed"}': 1,
      'svc_auth_refused_total{reason="unknown-authority"}': 1,
      'svc_auth_refused_total{reason="no-certificate"}': 1,
    };
    expect(Object.fromEntries(Object.keys(expected).map((series) => [series, sample(told, series)]))).toEqual(expected);
    expect(sample(told, "svc_auth_store_bytes")).toBeGreaterThan(4096);
    expect(sample(told, "svc_auth_store_revision")).toBe(Number((await running.store.about()).revision));
    expect(sample(told, "svc_auth_certificate_expiry_timestamp_seconds")).toBeGreaterThan(Date.now() / 1000 + 29 * 86_400);
    expect(sample(told, "svc_auth_last_backup_timestamp_seconds")).toBeUndefined();
  });

  test("have as many series as auth has methods and words, whatever is asked", async ({ running }) => {
    for (const path of ["A/B", "ClusterService/Getstatus", "x".repeat(1000), "%0a"]) await call(running.stranger, path, {});
    await call(running.stranger, status, {}, { headers: { "content-type": "text/plain" } });
    const told = await metricsOf(running.auth);
    expect(told.match(/^svc_auth_calls_total.*/gm)).toEqual([
      'svc_auth_calls_total{method="none",outcome="refused_unheard"} 4',
      'svc_auth_calls_total{method="ClusterService/GetStatus",outcome="refused_unheard"} 1',
    ]);
  });

  test("name nothing secret", async ({ running }) => {
    const token = await running.tokenFor("node");
    const told = await metricsOf(running.auth);
    expect(told).not.toContain(token);
    expect(told).not.toMatch(/PRIVATE|BEGIN|sha256/);
  });

  test("are what the documented alerts ask for", async () => {
    const names = (await everyMetric()).map(({ name }) => name.replace(/\{.*/, ""));
    const named = excerpt("auth-alerts").match(/\bsvc_auth_\w+/g) ?? [];
    expect(named.length).toBeGreaterThan(5);
    for (const name of named) expect(names).toContain(name);
  });
});
