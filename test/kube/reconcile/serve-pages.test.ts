import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { servePages, type Progress } from "../../../src/kube/reconcile/serve-pages.ts";
import { version } from "../../rules/version/given.ts";
import { freePort } from "../../machine/network/fixture/free-port.ts";

test("a pod is alive, is ready once everything is seen, and counts its looks", async () => {
  const progress: Progress = { looks: new Map([["statefulset/a", 0]]), outcomes: new Map(), unseen: ["statefulset/a"] };
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
    const [from, to] = [version("15.4.5"), version("15.4.6")];
    const last = { outcome: "back", from, to, imageBefore: "a", image: "b", at: 1_795_140_600, why: undefined } as const;
    const outcome = { kind: "stay", why: "rejected", installed: from, served: to, last, isIll: true };
    progress.outcomes.set("statefulset/a", outcome);
    const told = await get("/metrics");
    for (const line of [
      'info{object="statefulset/a",installed="15.4.5",served="15.4.6"} 1',
      'decision{object="statefulset/a",kind="stay",why="rejected"} 1',
      'unhealthy{object="statefulset/a"} 1',
      'last_move_timestamp_seconds{object="statefulset/a",outcome="back",version="15.4.6"} 1795140600',
    ])
      expect(told).toContain(`\nsvc_kube_updater_${line}\n`);
    progress.leads = () => true;
    expect(await get("/metrics")).toMatch(/^svc_kube_updater_leads 1$/m);
    const document = readFileSync("docs/kubernetes.md", "utf8");
    const documented = document.match(/svc_kube_updater_[a-z_]+/g) ?? [];
    const served = [...(await get("/metrics")).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    expect(new Set(documented)).toEqual(new Set(served));
    progress.leads = () => false;
    expect(await get("/metrics")).toMatch(/^svc_kube_updater_leads 0$/m);
    await expect(servePages(at, progress)).rejects.toThrow(/cannot listen on 127\.0\.0\.1:\d+ \(listen\)/);
  } finally {
    close();
  }
});
