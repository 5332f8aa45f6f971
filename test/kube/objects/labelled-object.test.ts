import { expect, test } from "vitest";
import { decide } from "../../../src/kube/objects/decide-object.ts";
import { readLabelledObject, settingsOfLabelled } from "../../../src/kube/objects/labelled-object.ts";
import { policyOf, readUpdaterSettings } from "../../../src/kube/objects/settings.ts";
import { given, objectOf } from "./given.ts";

const read = readUpdaterSettings(
  { labelled: { updater: "agent" }, endpoint: "https://proxy.example.com" },
  {
    origin: { kind: "file", path: "/settings.yaml" },
    namespace: "agents",
    apiServer: { url: "https://10.0.0.1", caFile: "/ca", tokenFile: "/token" },
  },
);
if (read.kind !== "labelled") throw new Error(JSON.stringify(read));
const { labelled } = read;
const name = { kind: "Deployment", name: "relay" } as const;

function found(metadata: object): unknown {
  return { metadata: { uid: "1", resourceVersion: "2", ...metadata }, spec: { template: { spec: { containers: [] } } } };
}

test("an object says by annotations what differs for it", () => {
  const annotations = { "svc.dev/container": "agent", "svc.dev/channel": "stable/early", other: "x" };
  const reading = readLabelledObject(found({ annotations }));
  expect(reading).toMatchObject({ value: { object: { uid: "1" }, container: "agent", channel: "stable/early" } });
  for (const plain of [{}, { annotations: {} }]) {
    expect(readLabelledObject(found(plain))).toMatchObject({ value: { container: undefined, channel: undefined } });
  }
});

test("what is no object, or has annotations that are none, cannot be read", () => {
  expect(readLabelledObject({})).toMatchObject({ kind: "unreadable" });
  expect(readLabelledObject(found({ annotations: { "svc.dev/container": 1 } }))).toMatchObject({ kind: "unreadable" });
});

test("annotations stand for the settings, which hold for all else", () => {
  expect(settingsOfLabelled(labelled, { ...name, container: undefined, channel: undefined })).toEqual({
    ...labelled.usual,
    object: { ...name, namespace: "agents", container: "svc", labelled: "agent" },
  });
  expect(settingsOfLabelled(labelled, { ...name, container: "agent", channel: "stable/early" })).toMatchObject({
    object: { container: "agent" },
    channel: "stable/early",
  });
});

const annotate = "`kubectl -n agents annotate --overwrite deployment/relay svc.dev/container=NAME`";
test.each<readonly [code: string, said: object, told: string, hint: string]>([
  ["annotation-invalid", { channel: "a b\n" }, 'svc.dev/channel is "a b", which is no channel', "correct or remove it"],
  ["container-absent", { container: "Svc\u0000" }, "the object has no container Svc; it has svc, logs", annotate],
  ["container-absent", { container: "x".repeat(100_000) }, `no container ${"x".repeat(60)}…`, annotate],
])("%s: %j is told, with what to do", (code, said, told, hint) => {
  const settings = settingsOfLabelled(labelled, { ...name, container: undefined, channel: undefined, ...said });
  const policy = policyOf(settings, { spans: [], blackouts: [] });
  const decision = decide(...given({}, policy));
  expect(decision).toMatchObject({ kind: "stop", code });
  expect(decision).toMatchObject({ told: expect.stringContaining(told), hint: expect.stringContaining(hint) });
});

test("a tag that names no version is told by the setting that it has here", () => {
  const settings = settingsOfLabelled(labelled, { ...name, container: undefined, channel: undefined });
  const object = objectOf({ containers: [{ name: "svc", image: "svc:v15.4.5" }] });
  expect(decide(...given({ object }, policyOf(settings, { spans: [], blackouts: [] })))).toMatchObject({
    code: "tag-unreadable",
    hint: 'set `labelled.tag: "v{version}"`',
  });
});
