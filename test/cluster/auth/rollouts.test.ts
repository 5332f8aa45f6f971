import { expect, test } from "vitest";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { said } from "../tctl/running.ts";
import { metricsOf } from "./every-metric.ts";
import { call } from "./hosts.ts";
import { told } from "./people.ts";
import { rollout, stages, startWithRollouts } from "./rollout-scene.ts";

type Status = {
  readonly state: string;
  readonly told: string;
  readonly stages: readonly { readonly name: string; readonly state: string; readonly hosts?: number }[];
};

async function started(rolloutMs = 20) {
  const running = await startWithRollouts({ limits: { rolloutMs }, times: { reportSeconds: 20 } });
  const status = async (): Promise<Status> => {
    const { body } = await running.ask("RolloutService/ListRollouts", { channel: "default" });
    return (body as { readonly rollouts: readonly Status[] }).rollouts[0]!;
  };
  const movedNow = (): object => ({ kind: "moved", version: "15.4.6", at: new Date(running.now() * 1000).toISOString() });
  return { ...running, status, movedNow, state: async () => (await running.words())[0]?.state };
}

test("a good version ends by itself, stage after stage; then its rollout is removed and the channel released", async () => {
  await using auth = await started();
  const [canary, rest] = [await auth.host("canary"), await auth.host("prod")];
  for (const one of [canary, rest]) await one.says("15.4.5");
  expect((await auth.write({ prove: "1s" })).status).toBe(200);
  expect((await auth.status()).told).toContain("waits for a proxy");
  await expect
    .poll(async () => (await auth.words())[0])
    .toMatchObject({ state: "moving", target: "15.4.6", ids: [`host-${canary.id}`] });
  const moved = auth.movedNow();
  const later = async (installed: string): Promise<void> => {
    auth.clock.ahead += 20;
    await canary.says("15.4.6", moved);
    await rest.says(installed, installed === "15.4.6" ? moved : undefined);
  };
  const threshold = async (): Promise<number> => {
    await later("15.4.5");
    return (await auth.words())[0]?.threshold ?? 0;
  };
  await expect.poll(threshold, { timeout: 10_000 }).toBeGreaterThan(0);
  const state = async (): Promise<string> => {
    await later("15.4.6");
    return (await auth.status()).state;
  };
  await expect.poll(state, { timeout: 10_000 }).toBe("done");
  expect((await auth.words())[0]?.state).toBe("done");
  const about = 'svc_auth_rollout_info{channel="default",rollout="agents",target="v15.4.6",state="done"} 1';
  await expect.poll(() => metricsOf(auth.auth)).toContain(about);
  expect(await metricsOf(auth.auth)).not.toContain("svc_auth_rollout_hosts");
  const config = join(auth.directory, "svc.yaml");
  writeFileSync(config, `svc: {data_dir: ${auth.directory}}\nauth_service: {}\n`);
  const watched = await said(["rollout", "watch", "default", "-c", config], {}, true);
  expect([watched.status, watched.error]).toEqual([0, ""]);
  expect(watched.out.replaceAll("\u001B", "ESC")).toMatch(
    /^ESC\[HESC\[Jagents: default .*\ndone: every host is told v15\.4\.6\n[^]*canary +done +1 +1/,
  );

  const release = (force = false) => auth.steer("release", { force });
  expect(told((await release()) as never).message).toContain("is still there");
  await auth.ask("ResourceService/DeleteResource", { kind: "rollout", name: "agents" });
  expect((await auth.words())[0]?.state).toBe("done");
  expect(await auth.status()).toMatchObject({
    channel: "default",
    state: "removed",
    told: expect.stringContaining("told v15.4.6"),
  });
  // The proxy's own file still serves the version before.
  expect(told((await release()) as never).message).toMatch(/told v15\.4\.6 on default, .* \(\S+\) serves v15\.4\.5$/);
  expect((await release(true)).body).toMatchObject({ proxies: [{ id: auth.proxy.id, serves: "v15.4.5" }] });
  expect(await auth.words()).toEqual([]);
  expect((await auth.ask("RolloutService/ListRollouts", {})).body).toEqual({});
});

test("a bad version halts, names the host and its fault, and a person undoes it", async () => {
  await using auth = await started();
  const canary = await auth.moving();
  auth.clock.ahead += 60;
  expect(await canary.says("15.4.5")).toBe("the rollout agents brings v15.4.6 in stages; this host is in the stage canary");
  // The host's clock is a day late, and its next pass finds the package manager busy.
  const at = new Date((auth.now() - 86_400) * 1000).toISOString();
  await canary.says("15.4.5", { kind: "undone", version: "15.4.6", fault: "agent-unhealthy", at });
  await canary.says("15.4.5", { kind: "stopped", version: "15.4.6", fault: "manager-busy", at });
  await expect.poll(auth.state).toBe("halted");
  expect(await auth.status()).toMatchObject({
    state: "halted",
    told: expect.stringMatching(/^halted in canary at .*: 1 host failed, and it halts at 1$/),
    failed: [{ stage: "canary", id: canary.id, hostname: "web-canary", fault: "agent-unhealthy" }],
  });
  const { body: shown } = await auth.ask("InventoryService/ListInventory", { host: canary.id });
  expect(shown).toMatchObject({ entries: [{ rollout: { rollout: "agents", stage: "canary", standing: "failed" } }] });
  const failed = 'svc_auth_rollout_hosts{channel="default",stage="canary",are="failed"} 1';
  await expect.poll(() => metricsOf(auth.auth)).toMatch(/state="halted"/);
  expect(await metricsOf(auth.auth)).toContain(failed);
  const undone = await auth.steer("undo", { why: "it is bad" });
  expect(undone.body).toMatchObject({ rollout: { state: "undone", told: expect.stringContaining("(it is bad)") } });
  const { body } = await auth.ask("AuditService/ListEvents", { kind: "rollout" });
  const events = (body as { events: readonly { event: string; actor: string }[] }).events.map(
    ({ event, actor }) => `${event} by ${actor}`,
  );
  expect(events.toReversed()).toEqual([
    "rollout.created by root@auth1",
    "rollout.began by auth",
    "rollout.moving by auth",
    "rollout.halted by auth",
    "rollout.undone by root@auth1",
  ]);
});

test("a version that its hosts' updaters find unhealthy before it is proven halts", async () => {
  await using auth = await started();
  const canary = await auth.moving();
  auth.clock.ahead += 60;
  const moved = auth.movedNow();
  await canary.says("15.4.6", moved);
  expect((await auth.status()).stages[0]).toMatchObject({ moving: 1 });
  auth.clock.ahead += 10;
  await canary.says("15.4.6", moved, { unhealthy: true });
  await expect.poll(auth.state).toBe("halted");
  expect(await auth.status()).toMatchObject({ failed: [{ stage: "canary", id: canary.id, fault: "unhealthy" }] });
});

test("an older target than before needs `downgrade: yes`, and one of a newer major than auth's is refused", async () => {
  await using auth = await started();
  const refused = async (target: string): Promise<string> => JSON.stringify((await auth.write({ target })).body);
  expect(await refused("v16.0.0")).toContain("newer than auth's v15.4.5 by a major version");
  await auth.moving();
  expect(await refused("v15.4.4")).toContain("older than v15.4.6");
  expect((await auth.write({ prove: "2h" })).status).toBe(200);
  expect((await auth.write({ target: "v15.4.4", downgrade: "yes" })).status).toBe(200);
});

test("a new target is not taken for the rollout before it, however soon somebody looks or steers", async () => {
  await using auth = await started(300);
  await auth.moving();
  await auth.steer("undo");
  await auth.write({ target: "v15.4.7" });
  expect((await auth.status()).state).not.toBe("undone");
  await auth.steer("pause");
  await expect.poll(async () => (await auth.status()).state).not.toBe("waiting");
  // A pause that was taken holds, and one that came too soon was refused.
  await auth.write({ target: "v15.4.8" });
  const { status: answered } = await auth.steer("pause");
  await expect.poll(async () => (await auth.status()).state).toBe(answered === 200 ? "paused" : "moving");
});

test("an undo is told before: who goes back, and who stays; and the channel's own window, beside the stages that heed it", async () => {
  await using auth = await started();
  const [canary, rest] = [await auth.host("canary"), await auth.host("prod")];
  await canary.says("15.4.6", undefined, { downgrade: "allow", window: "schedule" });
  await rest.says("15.4.6", undefined, { downgrade: "refuse", window: "setting" });
  await auth.words();
  const window = { utc_start_hour: 3, channels: { default: { utc_start_hour: 5, weekdays: ["Tue"] } } };
  const resource = { kind: "cluster_maintenance_config", version: "v1", spec: { agent_upgrades: window } };
  expect((await auth.ask("ResourceService/UpsertResource", { resource })).status).toBe(200);
  await auth.write();
  await expect.poll(auth.state).toBe("moving");
  expect(await auth.status()).toMatchObject({
    undo: { back: 1, stay: 1, told: expect.stringContaining("2 hosts have v15.4.6: 1 goes back to v15.4.5, 1 stays") },
    window: { utcStartHour: 5, weekdays: ["Tue"], opens: expect.stringMatching(/T05:00:00Z$/) },
    stages: [{ name: "canary", inWindow: 1 }, { name: "rest" }],
  });
});

test("a removed host leaves its stage by name, an id of two living hosts counts for neither, and a stage without progress is told", async () => {
  await using auth = await started();
  const hosts = [await auth.host("canary"), await auth.host("canary"), await auth.host("canary")];
  const [first, second, third] = hosts;
  for (const one of hosts) await one.says("15.4.5", undefined, { window: "schedule" });
  await auth.words();
  await auth.write();
  await expect.poll(async () => (await auth.words())[0]?.ids).toHaveLength(3);
  expect((await auth.status()).stages[0]).toMatchObject({ hosts: 3, waiting: 3 });

  expect((await auth.ask("InstanceService/RemoveInstance", { id: first!.id })).status).toBe(200);
  expect((await auth.words())[0]?.ids).toEqual([second, third].map((one) => `host-${one!.id}`).toSorted());
  expect(await auth.status()).toMatchObject({
    stages: [{ hosts: 2, waiting: 2 }, {}],
    left: [{ stage: "canary", id: first!.id, hostname: "web-canary" }],
  });
  const { body } = await auth.ask("AuditService/ListEvents", { event: "rollout.left" });
  expect(body).toMatchObject({ events: [{ name: "agents", actor: "root@auth1", detail: `canary: web-canary (${first!.id})` }] });

  // A clone of the second host.
  await third!.says("15.4.6", { kind: "undone", version: "15.4.6", fault: "unhealthy" }, { asksAs: `host-${second!.id}` });
  await second!.says("15.4.5", undefined, { window: "schedule" });
  expect((await auth.status()).stages[0]).toMatchObject({ blocked: { "shared-id": 2 } });
  expect(await auth.status()).not.toHaveProperty("failed");

  // The cloned id is silent now, and two windows have passed.
  const resource = { kind: "cluster_maintenance_config", version: "v1", spec: { agent_upgrades: { utc_start_hour: 3 } } };
  expect((await auth.ask("ResourceService/UpsertResource", { resource })).status).toBe(200);
  auth.clock.ahead += 3 * 86_400;
  await second!.says("15.4.5", undefined, { window: "schedule" });
  await expect
    .poll(() => auth.status())
    .toMatchObject({ state: "moving", stalledSince: expect.any(String), stages: [{ blocked: { late: 1 } }, {}] });
  await expect.poll(() => metricsOf(auth.auth)).toMatch(/^svc_auth_rollout_stalled_seconds\{channel="default"\} [1-9]\d{4,}$/m);
});

test("a channel that no proxy serves waits, and those that are served are named; one that is served waits a moment", async () => {
  await using auth = await started(600_000);
  await auth.words();
  await auth.write();
  expect((await auth.status()).told).toContain("was written a moment ago");
  await auth.write({ channel: "defualt" }, "slip");
  expect((await auth.ask("RolloutService/ListRollouts", { channel: "defualt" })).body).toMatchObject({
    rollouts: [{ told: "waits for a proxy that serves the channel defualt: now they serve default, other" }],
  });
});

test("one that was undone is not steered", async () => {
  await using auth = await started();
  await auth.moving();
  const steer = (action: string) => auth.steer(action, { stage: "rest" });
  for (const action of ["undo", "undo"]) expect((await steer(action)).status).toBe(200);
  for (const action of ["pause", "resume", "skip"]) {
    expect(told((await steer(action)) as never).message).toContain("was undone");
  }
});

test("only who may update rollouts steers one, and a second one for a channel is refused", async () => {
  await using auth = await started();
  await auth.write();
  const second = await auth.write({ target: "v15.4.7" }, "another");
  expect(told(second as never)).toMatchObject({ message: expect.stringContaining("agents"), code: "resource-exists" });
  const elsewhere = await auth.write({ channel: "other" });
  expect(told(elsewhere as never).message).toContain("is that of the channel default, and keeps it");
  const steer = { channel: "default", action: "pause" };
  const auditor = await auth.person("anna", ["auditor"]);
  expect(told(await auth.as(auditor, "RolloutService/SteerRollout", steer)).code).toBe("access-denied");
  expect(told((await auth.ask("RolloutService/SteerRollout", steer)) as never).message).toContain("has not begun");
  expect(told((await auth.ask("RolloutService/SteerRollout", { ...steer, channel: "none" })) as never).code).toBe(
    "resource-missing",
  );
  expect((await call(auth.proxy.trusting, "RolloutService/SteerRollout", steer)).status).toBe(403);
});

test("a critical target is told as one, its stages do not soak, and it takes the right to say when hosts move", async () => {
  await using auth = await started();
  const canary = await auth.host("canary");
  await canary.says("15.4.5");
  await auth.words();
  const spec = { stages: [{ ...stages[0], soak: "30d" }, stages[1]], prove: "1s", critical: "yes" };
  const rules = [{ resources: ["rollout"], verbs: ["*"] }];
  const role = { kind: "role", version: "v7", metadata: { name: "releaser" }, spec: { allow: { rules } } };
  await auth.ask("ResourceService/CreateResource", { resource: role });
  const releaser = await auth.person("anna", ["releaser"]);
  const refused = told(await auth.as(releaser, "ResourceService/CreateResource", { resource: rollout(spec) }));
  expect(refused).toMatchObject({ code: "access-denied", message: expect.stringContaining("cluster_maintenance_config") });
  const usual = rollout({ ...spec, critical: "no" });
  expect((await auth.as(releaser, "ResourceService/CreateResource", { resource: usual })).status).toBe(200);
  expect((await auth.write(spec)).status).toBe(200);
  await expect.poll(async () => (await auth.words())[0]).toMatchObject({ state: "moving", critical: true });
  expect(await auth.status()).toMatchObject({ critical: true });
  const moved = auth.movedNow();
  const state = async (): Promise<string> => {
    auth.clock.ahead += 2;
    await canary.says("15.4.6", moved);
    return (await auth.status()).stages[0]?.state ?? "";
  };
  await expect.poll(state, { timeout: 10_000 }).toBe("done");
});
