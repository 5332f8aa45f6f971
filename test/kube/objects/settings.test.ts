import { describe, expect, test } from "vitest";
import { commonOf, policyOf, readUpdaterSettings, type Surrounding } from "../../../src/kube/objects/settings.ts";
import { defaultPolicy } from "./given.ts";

const origin = { kind: "file", path: "/settings.yaml" } as const;
const apiServer = { url: "https://10.0.0.1:443", caFile: "/ca.crt", tokenFile: "/token" };
const inPod: Surrounding = { origin, namespace: "agents", apiServer };
const outside: Surrounding = { origin, namespace: undefined, apiServer: undefined };

const least = {
  object: { kind: "StatefulSet", name: "agent", container: "svc" },
  endpoint: "https://proxy.example.com",
};

function settingsOf(raw: object, surrounding: Surrounding = inPod) {
  return eachOf({ ...least, ...raw }, surrounding)[0];
}

function eachOf(raw: object, surrounding: Surrounding = inPod) {
  const read = readUpdaterSettings(raw, surrounding);
  if (read.kind !== "settings") throw new Error(JSON.stringify(read));
  return read.settings;
}

function faultsOf(raw: unknown, surrounding: Surrounding = inPod): readonly string[] {
  const read = readUpdaterSettings(raw, surrounding);
  return read.kind === "faults" ? read.faults.map(({ key, found }) => `${key}: ${found}`) : [];
}

describe("settings", () => {
  test("of a pod need little", () => {
    expect(settingsOf({})).toEqual({
      object: { namespace: "agents", kind: "StatefulSet", name: "agent", container: "svc" },
      entry: "object",
      tag: "{version}",
      mode: "auto",
      act: "moves",
      scheduleSecret: undefined,
      endpoint: "https://proxy.example.com",
      channel: "default",
      caFile: undefined,
      allowPlainHttp: false,
      apiServer,
      listen: undefined,
      lease: undefined,
      registry: { lookup: "prefer", pin: "none", pullSecrets: [], plainHttp: "never" },
      deadlines: { look: 1800, ask: 60, gather: 2, unhealthy: 600, remind: 2700, health: 600, settle: 30, free: 60, lease: 30 },
      rules: {
        window: undefined,
        blackouts: [],
        localBlackouts: [],
        unscheduled: "rescue",
        downgrade: "refuse",
        major: "any",
        hold: undefined,
        pin: undefined,
      },
      zones: [],
      isOfChart: false,
    });
  });

  test("may say everything", () => {
    const all = settingsOf(
      {
        object: { namespace: "other", kind: "Deployment", name: "a.b", container: "c", tag: "v{version}" },
        mode: "report",
        schedule_secret: "release-shared-state",
        api_server: { url: "https://127.0.0.1:6443", ca_file: "/a", token_file: "/b" },
        listen: "0.0.0.0",
        lease: "agent-updater",
        deadlines: { look: "2h", ask: "5s", gather: "1s", unhealthy: "10m", remind: "45m", health: "5m", lease: "10s" },
        channel: "stable/cloud",
        window: { start: "02:00", duration: "2h", timezone: "Europe/Berlin" },
        blackouts: [{ from: "2026-12-24", to: "2027-01-02" }],
        unscheduled: "wait",
        downgrade: "allow",
        major: "one-step",
        hold: { reason: "a freeze" },
        pin: { version: "15.4.6" },
        ca_file: "/c",
        allow_plain_http: true,
      },
      outside,
    );
    expect(all).toMatchObject({
      object: { namespace: "other", kind: "Deployment", name: "a.b", container: "c" },
      tag: "v{version}",
      mode: "report",
      act: "looks",
      scheduleSecret: "release-shared-state",
      apiServer: { url: "https://127.0.0.1:6443", caFile: "/a", tokenFile: "/b" },
      listen: { host: "0.0.0.0", port: 8080 },
      lease: "agent-updater",
      deadlines: { look: 7200, ask: 5, gather: 1, unhealthy: 600, remind: 2700, health: 300, lease: 10 },
      channel: "stable/cloud",
      caFile: "/c",
      allowPlainHttp: true,
      zones: [{ zone: "Europe/Berlin" }],
    });
    expect(policyOf(all, { spans: [{ start: 1, stop: 2 }], blackouts: [{ from: 3, to: 4, reason: undefined }] })).toMatchObject({
      window: { spans: [{ start: 1, stop: 2 }] },
      blackouts: [{ reason: undefined }, { from: 3, to: 4 }],
      unscheduled: "wait",
      downgrade: "allow",
      major: "one-step",
      hold: { reason: "a freeze" },
      pin: { version: "15.4.6" },
    });
  });

  test("are what a decision rests on", () => {
    const settings = settingsOf({ schedule_secret: "release-shared-state" });
    expect(policyOf(settings, { spans: [], blackouts: [] })).toEqual(defaultPolicy);
  });

  test.each([
    ["nothing", ": nothing"],
    [{}, "object: nothing", "endpoint: nothing"],
    [{ ...least, endpont: "x" }, "endpont: unknown key, did you mean endpoint?"],
    [{ ...least, manager: "apt" }, "manager: unknown key"],
    [{ ...least, object: { ...least.object, kind: "DaemonSet" } }, 'object.kind: "DaemonSet"'],
    [{ ...least, object: { ...least.object, name: "a/b", extra: 1 } }, 'object.name: "a/b"', "object.extra: unknown key"],
    [{ ...least, object: { ...least.object, tag: "latest" } }, 'object.tag: "latest"'],
    [{ ...least, object: { ...least.object, tag: 1 } }, "object.tag: 1"],
    [
      { ...least, api_server: { url: "http://a", ca_file: "/a", token_file: "b" } },
      'api_server.url: "http://a"',
      'api_server.token_file: "b"',
    ],
    [{ ...least, listen: 8080 }, "listen: 8080"],
    [{ ...least, lease: "Agent" }, 'lease: "Agent"'],
    [{ ...least, listen: "a:b" }, 'listen: "a:b"'],
    [
      { ...least, deadlines: { look: "25h", ask: 5, lease: "soon" } },
      'deadlines.look: "25h"',
      "deadlines.ask: 5",
      'deadlines.lease: "soon"',
    ],
    [{ ...least, window: { start: "02:00" } }, "window.duration: nothing"],
    [{ ...least, endpoint: "http://proxy.example.com" }, 'endpoint: "http://proxy.example.com"'],
  ])("%j are wrong", (raw, ...faults) => {
    expect(faultsOf(raw === "nothing" ? undefined : raw)).toEqual(faults);
  });

  const several = (...objects: readonly object[]): object => ({ endpoint: least.endpoint, objects });
  const set = (name: string, more: object = {}): object => ({ kind: "StatefulSet", name, container: "svc", ...more });

  test("may name several objects, of which each may have a channel, a tag and a window of its own", () => {
    const window = { start: "04:00", duration: "1h", timezone: "Europe/Berlin" };
    const [canary, agent] = eachOf({
      ...several(set("canary", { channel: "stable/early", tag: "v{version}", window }), set("agent")),
      channel: "stable/cloud",
      window: { utc_start_hour: 2 },
      hold: { reason: "a freeze" },
    });
    expect(canary).toMatchObject({
      entry: "objects[0]",
      object: { namespace: "agents", name: "canary" },
      tag: "v{version}",
      channel: "stable/early",
      rules: { window: { local: [{ start: 14_400, timezone: "Europe/Berlin" }], hourly: [] }, hold: { reason: "a freeze" } },
      zones: [{ key: "objects[0].window.timezone", zone: "Europe/Berlin" }],
    });
    expect(agent).toMatchObject({
      entry: "objects[1]",
      object: { namespace: "agents", name: "agent" },
      tag: "{version}",
      channel: "stable/cloud",
      rules: { hold: { reason: "a freeze" } },
      zones: [],
    });
    expect(agent?.rules.window?.hourly).toHaveLength(1);
  });

  const many = Array.from({ length: 33 }, (_, index) => set(`agent-${index}`));
  test.each([
    [several(), "objects: an empty list"],
    [{ ...several(), objects: set("a") }, "objects: a mapping"],
    [several(...many), "objects: a list of 33"],
    [several(set("a"), set("a", { container: "other" })), 'objects[1].name: "a" as in objects[0]'],
    [several(set("a", { namespace: "b" }), set("b")), "objects[1].namespace: nothing"],
    [
      several(set("a"), set("b", { kind: "Pod", chanel: "x" })),
      'objects[1].kind: "Pod"',
      "objects[1].chanel: unknown key, did you mean channel?",
    ],
    [
      several(set("a", { channel: "a b" }), set("b", { window: { start: "02:00" } })),
      'objects[0].channel: "a b"',
      "objects[1].window.duration: nothing",
    ],
    [{ ...several(set("a")), channel: "a b", window: { start: "02:00" } }, 'channel: "a b"', "window.duration: nothing"],
    [{ ...several(set("a")), object: set("a") }, "object: beside objects"],
  ])("%j are wrong", (raw, ...faults) => {
    expect(faultsOf(raw)).toEqual(faults);
  });

  const labelled = { endpoint: least.endpoint, labelled: { updater: "agent" } };
  const how = "one of both: remove `labelled`, or remove `object` and give its objects the label svc.dev/updater=agent";
  test.each<readonly [raw: object, faults: readonly (readonly [key: string, found: string, allowed?: string])[]]>([
    [{ ...labelled, object: least.object }, [["labelled", "beside object", how]]],
    [{ ...labelled, objects: [least.object] }, [["labelled", "beside objects", how.replace("`object`", "`objects`")]]],
    [
      { ...labelled, labelled: { updater: "-a", name: "b" } },
      [
        ["labelled.updater", '"-a"'],
        ["labelled.name", "unknown key"],
      ],
    ],
  ])("%j are wrong, and what to remove is said", (raw, faults) => {
    const read = readUpdaterSettings(raw, inPod);
    const found = read.kind === "faults" ? read.faults : [];
    expect(found).toMatchObject(faults.map(([key, what, allowed]) => ({ key, found: what, ...(allowed && { allowed }) })));
  });

  test("may say by which label objects are followed", () => {
    const read = readUpdaterSettings({ ...labelled, channel: "stable/cloud" }, inPod);
    if (read.kind !== "labelled") throw new Error(JSON.stringify(read));
    expect(read.labelled).toMatchObject({ namespace: "agents", updater: "agent", container: "svc" });
    expect(read.labelled.usual).toMatchObject({ tag: "{version}", channel: "stable/cloud", act: "moves" });
    expect(commonOf(read)).toMatchObject({ namespace: "agents", channel: "stable/cloud" });
    const own = { namespace: "b", updater: "x", container: "c", tag: "v{version}" };
    expect(readUpdaterSettings({ ...labelled, labelled: own }, inPod)).toMatchObject({
      labelled: { namespace: "b", updater: "x", container: "c", usual: { tag: "v{version}" } },
    });
    expect(commonOf({ kind: "settings", settings: eachOf(least) })).toMatchObject({ namespace: "agents", channel: "default" });
    expect(faultsOf(labelled, outside)).toEqual(["labelled.namespace: nothing", "api_server: nothing"]);
  });

  test("may name as many objects as one updater follows", () => {
    expect(eachOf(several(...many.slice(1)))).toHaveLength(32);
  });
});
