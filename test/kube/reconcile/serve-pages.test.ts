import { expect, test } from "vitest";
import { servePages, type Progress } from "../../../src/kube/reconcile/serve-pages.ts";
import { freePort } from "../../machine/network/fixture/free-port.ts";

test("a pod is alive, is ready once everything is seen, and counts its looks", async () => {
  const progress: Progress = { looks: new Map([["statefulset/a", 0]]), unseen: ["statefulset/a"] };
  const at = { host: "127.0.0.1", port: await freePort() };
  const close = await servePages(at, progress);
  const get = async (path: string): Promise<string> => {
    const response = await fetch(`http://127.0.0.1:${at.port}${path}`);
    return `${response.status} ${await response.text()}`;
  };
  try {
    expect(await get("/healthz")).toBe('200 {"healthy":true}\n');
    expect(await get("/readyz")).toBe('503 {"ready":false,"unseen":["statefulset/a"]}\n');
    progress.looks.set("statefulset/a", 3);
    progress.unseen = [];
    expect(await get("/readyz")).toBe('200 {"ready":true}\n');
    expect(await get("/metrics")).toMatch(/^svc_kube_updater_looks_total\{object="statefulset\/a"\} 3$/m);
    expect(await get("/metrics")).not.toContain("svc_kube_updater_leads");
    progress.leads = () => true;
    expect(await get("/metrics")).toMatch(/^svc_kube_updater_leads 1$/m);
    progress.leads = () => false;
    expect(await get("/metrics")).toMatch(/^svc_kube_updater_leads 0$/m);
    await expect(servePages(at, progress)).rejects.toThrow(/cannot listen on 127\.0\.0\.1:\d+ \(listen\)/);
  } finally {
    close();
  }
});
