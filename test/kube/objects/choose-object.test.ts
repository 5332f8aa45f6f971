import { expect, test } from "vitest";
import { chooseObject, findObject } from "../../../src/kube/objects/choose-object.ts";
import { defaultPolicy } from "./given.ts";

const { object } = defaultPolicy;
const agent = { object };
const relay = { object: { ...object, kind: "Deployment", name: "relay" } } as const;
const twin = { object: { ...object, kind: "Deployment", name: "agent" } } as const;

test("an object is typed as kubectl names it, or by a name that only one has; of one object none is typed", () => {
  expect(chooseObject([agent], undefined)).toBe(agent);
  expect(chooseObject([agent, relay], "relay")).toBe(relay);
  expect(chooseObject([agent, twin], "deployment/agent")).toBe(twin);
  for (const typed of ["StatefulSet/agent", "sts/agent", "statefulset.apps/agent", "statefulsets.v1.apps/agent"])
    expect(chooseObject([agent, twin], typed)).toBe(agent);
  for (const typed of ["deploy/agent", "deployments/agent", "deployment.apps/agent"])
    expect(chooseObject([agent, twin], typed)).toBe(twin);
  expect(findObject([agent], "pod/agent")).toBeUndefined();
  expect(findObject([agent, relay], "15.4.6")).toBeUndefined();
});

test("of many objects that a name may mean not all are named", () => {
  const many = Array.from({ length: 34 }, (_, index) => ({ object: { ...object, name: `agent-${index}` } }));
  expect(() => chooseObject(many, "other")).toThrow(/statefulset\/agent-31 and 2 more$/);
});

test.each([
  [undefined, "it is not said for which object"],
  ["other", "the updater follows no object other"],
  ["agent", "agent is the name of several objects"],
])("%s names no single object, and those that there are follow", (typed, told) => {
  const choose = () => chooseObject([agent, twin], typed);
  expect(choose).toThrow(`${told}; it follows statefulset/agent, deployment/agent`);
});
