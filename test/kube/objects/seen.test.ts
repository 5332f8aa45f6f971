import { describe, expect, test } from "vitest";
import { readObject } from "../../../src/kube/objects/seen.ts";
import { readStoredRecord, readStoredSchedule } from "../../../src/kube/objects/stored.ts";

const named = { uid: "1", resourceVersion: "5" };
const template = { spec: { containers: [{ name: "svc", image: "svc:1.0.0", env: [] }] } };
const least = { metadata: named, spec: { template } };

function read(changes: { readonly metadata?: object; readonly spec?: object; readonly status?: object }) {
  const { metadata, spec, ...more } = changes;
  const found = readObject({ ...least, ...more, metadata: { ...named, ...metadata }, spec: { template, ...spec } });
  if (found.kind === "unreadable") throw new Error(found.why);
  return found.value;
}

describe("an object", () => {
  test("that says little is read with what that means", () => {
    expect(read({})).toEqual({
      uid: "1",
      resourceVersion: "5",
      generation: 0,
      containers: [{ name: "svc", image: "svc:1.0.0" }],
      replicas: 1,
      strategy: { type: "RollingUpdate", partition: 0, isPaused: false },
      firstOrdinal: 0,
      minReadySeconds: 0,
      patienceSeconds: 0,
      status: {
        observedGeneration: 0,
        replicas: 0,
        updated: 0,
        ready: 0,
        available: 0,
        terminating: 0,
        currentRevision: "",
        updateRevision: "",
        notMade: "",
      },
      rolloutNumber: "",
      hasAnnotations: false,
      skip: undefined,
      trigger: undefined,
      asks: { runNow: undefined, retry: undefined, rollback: undefined },
      instead: { container: undefined, channel: undefined },
      gitOps: undefined,
      imageSetters: [],
      ownEntry: undefined,
    });
  });

  test("that says much is read, and the rest of it is left", () => {
    const found = read({
      metadata: {
        generation: 4,
        annotations: {
          "svc.dev/skipreconcile": "no",
          "debug.svc.dev/trigger-event": "2",
          "svc.dev/retry": "3",
          "svc.dev/container": "agent",
          "svc.dev/channel": "stable/early",
        },
      },
      spec: { replicas: 0, updateStrategy: { type: "OnDelete", rollingUpdate: { partition: 2 } } },
      status: {
        observedGeneration: 3,
        replicas: 4,
        updatedReplicas: 2,
        readyReplicas: 1,
        currentRevision: "a",
        updateRevision: "b",
        conditions: [],
      },
    });
    expect(found).toMatchObject({
      generation: 4,
      replicas: 0,
      strategy: { type: "OnDelete", partition: 2 },
      status: { observedGeneration: 3, replicas: 4, updated: 2, ready: 1, currentRevision: "a", updateRevision: "b" },
      skip: "no",
      trigger: "2",
      asks: { runNow: undefined, retry: "3", rollback: undefined },
      instead: { container: "agent", channel: "stable/early" },
    });
  });

  test("says how long it gives a pod", () => {
    const startupProbe = { initialDelaySeconds: 5, periodSeconds: 20 };
    const slow = { spec: { containers: [{ name: "a" }, { name: "b", startupProbe }] } };
    expect(read({ spec: { template: slow, minReadySeconds: 10 } }).patienceSeconds).toBe(75);
    expect(read({ spec: { progressDeadlineSeconds: 600, ordinals: { start: 3 } } })).toMatchObject({
      patienceSeconds: 600,
      firstOrdinal: 3,
    });
  });

  test("of a Deployment says why no pod is made, as long as none is", () => {
    const message = 'pods "agent-7d4-x2k9p" is forbidden: exceeded quota: few, requested: pods=1, used: pods=3, limited: pods=3';
    const told = (status: string): string =>
      read({
        status: {
          conditions: [
            { type: "Available", status: "True" },
            { type: "ReplicaFailure", status, message },
          ],
        },
      }).status.notMade;
    expect(told("True")).toBe("exceeded quota: few, requested: pods=1, used: pods=3, limited: pods=3");
    expect(told("False")).toBe("");
  });

  test("says who has set which image, and when", () => {
    const fieldsOf = (fields: object) => ({
      "f:spec": { "f:template": { "f:spec": { "f:containers": { 'k:{"name":"svc"}': fields } } } },
    });
    const managedFields = [
      { manager: "helm", operation: "Apply", time: "2026-11-20T02:00:00Z", fieldsV1: fieldsOf({ "f:image": {}, "f:name": {} }) },
      { manager: "kubectl-edit", fieldsV1: fieldsOf({ "f:env": {} }) },
      { manager: "kubectl-set", fieldsV1: fieldsOf({ "f:image": {} }) },
      { manager: "other", fieldsV1: { "f:spec": { "f:template": 1 } } },
      { manager: "another", fieldsV1: { "f:spec": { "f:template": { "f:spec": { "f:containers": { ".": {} } } } } } },
    ];
    expect(read({ metadata: { managedFields } }).imageSetters).toEqual([
      { container: "svc", manager: "helm", operation: "Apply", time: "2026-11-20T02:00:00Z" },
      { container: "svc", manager: "kubectl-set", operation: "", time: "" },
    ]);
    const own = [
      { manager: "svc-kube-updater", fieldsV1: { "f:metadata": {} } },
      { manager: "svc-kube-updater", fieldsV1: fieldsOf({ "f:image": {} }) },
    ];
    expect(read({ metadata: { managedFields: [...managedFields, ...own] } }).ownEntry).toBe(managedFields.length + 1);
  });

  test("that is a Deployment has its own words", () => {
    expect(read({ spec: { paused: true, strategy: { type: "Recreate" } } }).strategy).toEqual({
      type: "Recreate",
      partition: 0,
      isPaused: true,
    });
  });

  test.each([
    [{ annotations: { "argocd.argoproj.io/tracking-id": "a:b" } }, "argocd.argoproj.io/tracking-id"],
    [{ labels: { "kustomize.toolkit.fluxcd.io/name": "a" } }, "kustomize.toolkit.fluxcd.io/name"],
    [{ labels: { "helm.toolkit.fluxcd.io/name": "a" } }, "helm.toolkit.fluxcd.io/name"],
    [{ managedFields: [{ manager: "kubectl" }, { manager: "argocd-controller" }] }, "argocd-controller"],
    [{ managedFields: [{ manager: "kustomize-controller" }] }, "kustomize-controller"],
  ])("with %j belongs to a GitOps tool by %s", (metadata, mark) => {
    expect(read({ metadata }).gitOps).toBe(mark);
  });

  test.each([undefined, { ...least, metadata: { uid: "1" } }])("is not %j", (found) => {
    expect(readObject(found)).toMatchObject({ kind: "unreadable" });
  });
});

describe("a ConfigMap", () => {
  test.each([
    [
      { metadata: named, data: { record: "{}", status: "x" } },
      { resourceVersion: "5", record: "{}" },
    ],
    [{ metadata: named }, { resourceVersion: "5", record: undefined }],
  ])("%j is a record", (found, value) => {
    expect(readStoredRecord(found)).toEqual({ kind: "read", value });
  });

  test("without a version is none", () => {
    expect(readStoredRecord({})).toMatchObject({ kind: "unreadable" });
  });
});

describe("a Secret", () => {
  test.each([
    [{ data: { "agent-maintenance-schedule": btoa("{}") } }, "{}"],
    [{ data: { other: "x" } }, undefined],
  ])("%j holds a schedule: %j", (found, schedule) => {
    expect(readStoredSchedule(found)).toEqual({ kind: "read", value: { schedule } });
  });

  test.each([{ data: { "agent-maintenance-schedule": "%%" } }, { data: [] }])("%j is none", (found) => {
    expect(readStoredSchedule(found)).toMatchObject({ kind: "unreadable" });
  });
});
