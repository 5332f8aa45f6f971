import { expect, test } from "vitest";
import { decide } from "../../../src/kube/objects/decide-object.ts";
import { settingsOfLabelled } from "../../../src/kube/objects/labelled-object.ts";
import type { SeenObject } from "../../../src/kube/objects/seen.ts";
import { policyOf, readUpdaterSettings, type UpdaterSettings } from "../../../src/kube/objects/settings.ts";
import { given } from "./given.ts";

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

function settingsWith(instead: Partial<SeenObject["instead"]>): UpdaterSettings {
  return settingsOfLabelled(labelled, { ...name, instead: { container: undefined, channel: undefined, ...instead } });
}

test("annotations stand for the settings, which hold for all else", () => {
  expect(settingsWith({})).toEqual({
    ...labelled.usual,
    object: { ...name, namespace: "agents", container: "svc", labelled: "agent" },
  });
  expect(settingsWith({ container: "agent", channel: "stable/early" })).toMatchObject({
    object: { container: "agent" },
    channel: "stable/early",
  });
});

const annotate = "`kubectl -n agents annotate --overwrite deployment/relay svc.dev/container=NAME`";
test.each<readonly [code: string, said: object, told: string, hint: string]>([
  ["annotation-invalid", { channel: "a b\n" }, 'svc.dev/channel is "a b", which is no channel', "correct or remove it"],
  ["container-absent", { container: "Svc\u0000" }, "the object has no container Svc; it has svc, logs", annotate],
])("%s: %j is told, with what to do", (code, said, told, hint) => {
  const settings = settingsWith(said);
  const policy = policyOf(settings, { spans: [], blackouts: [] });
  const decision = decide(...given({}, policy));
  expect(decision).toMatchObject({ kind: "stop", code });
  expect(decision).toMatchObject({ told: expect.stringContaining(told), hint: expect.stringContaining(hint) });
});
