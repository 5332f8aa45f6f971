import { expect, test } from "vitest";
import { challengeIn } from "../../../src/kube/registry/challenge.ts";

const realm = "https://auth.example/token";

const cases: readonly (readonly [header: string | undefined, challenge: object | undefined])[] = [
  [`Bearer realm="${realm}",service="r.example"`, { kind: "bearer", realm, service: "r.example" }],
  [`bearer  service="r.example", realm="${realm}"`, { kind: "bearer", realm, service: "r.example" }],
  [
    `Bearer realm="${realm}",scope="repository:svc:pull",error="insufficient_scope"`,
    { kind: "bearer", realm, service: undefined },
  ],
  [`Basic realm="there", Bearer realm="${realm}"`, { kind: "bearer", realm, service: undefined }],
  ['Basic realm="there"', { kind: "basic" }],
  ["basic", { kind: "basic" }],
  ["Bearer service=x", undefined],
  ["Negotiate", undefined],
  ["", undefined],
  [undefined, undefined],
];

test.each(cases)("of %j", (header, challenge) => {
  expect(challengeIn(header)).toEqual(challenge);
});
