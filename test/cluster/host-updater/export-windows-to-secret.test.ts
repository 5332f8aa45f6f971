import { expect, test } from "vitest";
import { updaterInKube } from "../../../src/cluster/host-updater/export-windows-to-secret.ts";
import type { HostId } from "../../../src/rules/channel/asking-host.ts";
import type { LogLevel } from "../../../src/machine/logging/log.ts";
import { printKept, type Kept } from "../../../src/kube/objects/record.ts";
import { nothingStands } from "../../../src/kube/objects/move-memory.ts";
import { nothingHeard } from "../../../src/rules/channel/heard.ts";
import { parseChannelName } from "../../../src/rules/channel/path.ts";
import { parseVersion } from "../../../src/rules/version/version.ts";
import { item, json, page, played, refusal, watch, type Answer } from "../../kube/api-server/played.ts";

const at = 1_800_000_000;
const schedule = { cluster: "example", hasWindow: true, openings: [{ start: at, stop: at + 3600 }] };
const version = (text: string) => parseVersion(text)!;

const kept: Kept = {
  turn: 7,
  at,
  uid: "one",
  decision: { kind: "stay", why: "held", told: "held", until: at + 3600, lift: undefined },
  since: at,
  current: version("15.4.5"),
  heard: {
    ...nothingHeard,
    channel: parseChannelName("stable/cloud")!,
    versions: [{ version: version("15.4.7"), since: at, until: at, came: "new", before: undefined }],
    askedAs: "0a".repeat(16) as HostId,
  },
  unhealthySince: undefined,
  windowOf: "schedule",
  ...nothingStands,
  last: {
    outcome: "back",
    from: version("15.4.5"),
    to: version("15.4.6"),
    imageBefore: "svc:15.4.5",
    image: "svc:15.4.6",
    at,
    why: "never ready",
  },
  rejected: [{ served: version("15.4.6"), artifact: "svc:15.4.6", at, why: "never ready" }],
};

const found = (record: Kept): Answer =>
  page("5", [item("statefulset-agent-updater", "5", { data: { record: printKept(record) } })]);

/** The updater of a pod, whose API server answers its list, its watch and then the rest so. */
async function inKube(...answers: readonly Answer[]) {
  const server = await played(...answers);
  const lines: string[] = [];
  const object = { kind: "StatefulSet", name: "agent" } as const;
  const updater = updaterInKube(
    { namespace: "agents", object, scheduleSecret: "agent-shared-state", apiServer: server.place },
    (level: LogLevel, sentence) => void lines.push(`${level}: ${sentence}`),
  );
  let changes = 0;
  const watching = updater.watch(() => (changes += 1));
  return {
    server,
    updater,
    lines,
    changes: () => changes,
    [Symbol.asyncDispose]: async () => {
      watching.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

test("the record of the object's updater is told in the words of hosts, and the windows are applied, yielding to others", async () => {
  await using pod = await inKube(
    found(kept),
    watch([{ type: "BOOKMARK", object: { metadata: { resourceVersion: "6" } } }], "is silent"),
    json(200, {}),
  );
  const told = {
    kind: "kube",
    package: "statefulset/agent",
    channel: "stable/cloud",
    installed: "15.4.5",
    served: "15.4.7",
    decision: { kind: "stay", why: "held", until: 1_800_003_600 },
    outcome: { kind: "undone", version: "15.4.6", at: 1_800_000_000 },
    rejected: ["15.4.6"],
    held: true,
    held_until: 1_800_003_600,
    window: "none",
    asks_as: "0a".repeat(16),
    downgrade: "",
    unhealthy: false,
  };
  expect(await pod.updater.describe()).toEqual(told);
  expect(pod.changes()).toBe(1);
  expect([await pod.updater.schedule(schedule), await pod.updater.schedule(schedule)]).toEqual(["written", "same"]);
  const { method, path, query, body } = pod.server.requests.at(-1)!;
  expect([method, path]).toEqual(["PATCH", "/api/v1/namespaces/agents/secrets/agent-shared-state"]);
  expect(Object.fromEntries(query)).toEqual({ fieldManager: "svc", force: "false" });
  const { data } = JSON.parse(body) as { readonly data: Readonly<Record<string, string>> };
  expect(atob(data["agent-maintenance-schedule"] ?? "")).toBe(
    '{"windows":[{"start":"2027-01-15T08:00:00Z","stop":"2027-01-15T09:00:00Z"}]}',
  );
  expect(await pod.updater.describe()).toEqual({ ...told, window: "schedule" });
});

test("a window of the updater's own is told as that", async () => {
  await using pod = await inKube(found({ ...kept, windowOf: "setting" }), watch([], "is silent"));
  expect(await pod.updater.describe()).toMatchObject({ window: "setting" });
});

test("an account without rights has no updater, and that is no trouble", async () => {
  await using pod = await inKube(refusal(403, "configmaps is forbidden"));
  expect(await pod.updater.describe()).toBeUndefined();
  expect(await pod.updater.schedule(schedule)).toBe("none");
  expect(pod.lines).toEqual(["info: no updater keeps this pod: its account may not watch the record of one"]);
});

test("an updater that has not looked yet is none, and gets its windows", async () => {
  await using pod = await inKube(page("5", []), watch([], "is silent"), json(200, {}));
  expect(await pod.updater.describe()).toBeUndefined();
  expect(await pod.updater.schedule(schedule)).toBe("written");
});
