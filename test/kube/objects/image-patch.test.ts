import { describe, expect, test } from "vitest";
import { askPatch, imagePatch, judgeRefusal } from "../../../src/kube/objects/image-patch.ts";
import { objectOf } from "./given.ts";

describe("the patch of an image", () => {
  const change = { container: "logs", from: "logs:1", to: "logs:2" };

  test("tests everything that it rests on", () => {
    expect(imagePatch(objectOf(), change)).toEqual([
      { op: "test", path: "/metadata/uid", value: "11aa" },
      { op: "test", path: "/metadata/generation", value: 2 },
      { op: "test", path: "/metadata/annotations", value: null },
      { op: "test", path: "/spec/template/spec/containers/1/name", value: "logs" },
      { op: "test", path: "/spec/template/spec/containers/1/image", value: "logs:1" },
      { op: "replace", path: "/spec/template/spec/containers/1/image", value: "logs:2" },
    ]);
  });

  test.each([
    [undefined, null],
    ["no", "no"],
  ])("tests that svc.dev/skipreconcile is %j", (skip, value) => {
    const path = "/metadata/annotations/svc.dev~1skipreconcile";
    expect(imagePatch(objectOf({ hasAnnotations: true, skip }), change)).toContainEqual({ op: "test", path, value });
  });
});

test("what people ask for is set only where it is as it was seen", () => {
  const path = "/metadata/annotations/svc.dev~1retry";
  const uid = { op: "test", path: "/metadata/uid", value: "11aa" };
  expect(askPatch(objectOf(), "retry", "now")).toEqual([
    uid,
    { op: "test", path: "/metadata/annotations", value: null },
    { op: "add", path: "/metadata/annotations", value: { "svc.dev/retry": "now" } },
  ]);
  const asked = objectOf({ hasAnnotations: true, asks: { ...objectOf().asks, retry: "before" } });
  expect(askPatch(asked, "retry", "now")).toEqual([
    uid,
    { op: "test", path, value: "before" },
    { op: "add", path, value: "now" },
  ]);
  expect(askPatch({ ...asked, asks: objectOf().asks }, "retry", "now")).toContainEqual({ op: "test", path, value: null });
});

type Causes = Parameters<typeof judgeRefusal>[0]["causes"];
const denied = 'admission webhook "w" denied the request: not signed';
const cause = (field: string): Causes => [{ field, message: "because" }];

test.each<readonly [number, string, Causes, string, RegExp]>([
  [422, "the server rejected our request due to an error in our request", [], "changed", /has changed meanwhile/],
  [422, "invalid", cause("spec.template"), "refused", /does not accept the image: because/],
  [400, "bad", [], "refused", /does not accept the image: bad/],
  [422, "invalid", cause(""), "denied", /policy refuses the image: because/],
  [403, "forbidden by a policy", [], "denied", /policy refuses the image: forbidden/],
  [403, `${denied}, it cannot patch resource`, [], "denied", /policy refuses/],
  [409, denied, [], "again", /not signed$/],
  [429, denied, [], "again", /not signed$/],
  [500, denied, [], "again", /not signed$/],
  [413, "too large", cause(""), "denied", /because/],
  [403, 'User "x" cannot patch resource "statefulsets"', [], "no-right", /has no right/],
  [404, "not found", [], "gone", /not found/],
])("%i %s is %j", (status, message, causes, kind, told) => {
  const failure = judgeRefusal({ kind: "refused", status, message, causes });
  expect(failure.kind).toBe(kind);
  expect(failure.told).toMatch(told);
});
