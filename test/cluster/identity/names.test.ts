import fc from "fast-check";
import { expect, test } from "vitest";
import {
  authServerName,
  instanceKinds,
  parseClusterId,
  parseInstanceId,
  parseSubjectUri,
  subjectUri,
} from "../../../src/cluster/identity/names.ts";
import { cluster, instance } from "./made.ts";

test.each(instanceKinds)("a subject of kind %s is read as it was written", (kind) => {
  const subject = { cluster, kind, id: instance };
  expect(parseSubjectUri(subjectUri(subject))).toEqual(subject);
});

test.each([
  ["another scheme", `https://${cluster}/node/${instance}`],
  ["another kind", `svc://${cluster}/root/${instance}`],
  ["capital letters", `svc://${cluster.toUpperCase()}/node/${instance}`],
  ["a part more", `svc://${cluster}/node/${instance}/x`],
  ["a line more", `svc://${cluster}/node/${instance}\n`],
  ["no cluster", `svc:///node/${instance}`],
])("no subject has %s", (_what, text) => {
  expect(parseSubjectUri(text)).toBeUndefined();
});

test("any text is an id or none, and never throws", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.uuid()), (text) => {
      const isId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);
      expect([parseClusterId(text), parseInstanceId(text)]).toEqual(isId ? [text, text] : [undefined, undefined]);
    }),
  );
});

test("auth has one name in a cluster, whatever address it is reached at", () => {
  expect(authServerName(cluster)).toBe(`auth.${cluster}.svc.internal`);
});
