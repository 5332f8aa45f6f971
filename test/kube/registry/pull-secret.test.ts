import { describe, expect, test } from "vitest";
import { placeOf } from "../../../src/kube/registry/image-place.ts";
import { loginFor, readPullSecret, type Login } from "../../../src/kube/registry/pull-secret.ts";

function pullSecret(auths: object): object {
  const config = Buffer.from(JSON.stringify({ auths })).toString("base64");
  return { type: "kubernetes.io/dockerconfigjson", data: { ".dockerconfigjson": config } };
}

function loginsOf(auths: object): readonly Login[] {
  const reading = readPullSecret(pullSecret(auths));
  if (reading.kind === "unreadable") throw new Error(reading.why);
  return reading.value;
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");

describe("a pull secret", () => {
  test("holds credentials as docker writes them, or as people do", () => {
    expect(
      loginsOf({
        one: { auth: base64("user:pass:word") },
        two: { username: "user", password: "word" },
        three: { auth: base64("no colon"), username: "user", password: "word" },
      }),
    ).toEqual([
      { at: "one", user: "user", password: "pass:word" },
      { at: "two", user: "user", password: "word" },
      { at: "three", user: "user", password: "word" },
    ]);
  });

  test("has no credentials in what is none of them", () => {
    expect(loginsOf({ a: {}, b: 1, c: { auth: base64(":word") }, d: { username: "user" }, e: { auth: 7 } })).toEqual([]);
  });

  const secretText = "hunter2";
  test.each([
    [null, "it is no Secret"],
    [{ type: "Opaque", data: { ".dockerconfigjson": base64(secretText) } }, "its type is not kubernetes.io/dockerconfigjson"],
    [{ type: "kubernetes.io/dockerconfigjson", data: {} }, "it has no key .dockerconfigjson"],
    [
      { type: "kubernetes.io/dockerconfigjson", data: { ".dockerconfigjson": base64(secretText) } },
      '.dockerconfigjson is no JSON with "auths"',
    ],
    [
      { type: "kubernetes.io/dockerconfigjson", data: { ".dockerconfigjson": base64(`{"auths":"${secretText}"}`) } },
      '.dockerconfigjson is no JSON with "auths"',
    ],
    [
      pullSecret(Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [at, {}]))),
      ".dockerconfigjson has more than 1000 registries",
    ],
  ])("that cannot be read says why, and nothing of what it holds (%#)", (found, why) => {
    expect(readPullSecret(found)).toEqual({ kind: "unreadable", why });
  });
});

const cases: readonly (readonly [image: string, keys: readonly string[], taken: string | undefined])[] = [
  ["svc:1", ["https://index.docker.io/v1/"], "https://index.docker.io/v1/"],
  ["svc:1", ["docker.io"], "docker.io"],
  ["docker.io/corp/svc:1", ["registry-1.docker.io", "quay.io"], "registry-1.docker.io"],
  ["r.example:5000/svc:1", ["r.example", "r.example:5000"], "r.example:5000"],
  ["r.example/svc:1", ["r.example:5000"], undefined],
  ["r.example/a/svc:1", ["https://r.example/v2/", "r.example/a", "r.example/b"], "r.example/a"],
  ["r.example/a/svc:1", ["r.example/a/svc/more"], undefined],
  ["r.example/ab/svc:1", ["r.example/a"], undefined],
  ["eu.r.example/svc:1", ["*.r.example"], "*.r.example"],
  ["r.example/svc:1", ["*.r.example", "*", ""], undefined],
  ["r.example/svc:1", [], undefined],
];

test.each(cases)("for %s, of %j it is %s", (image, keys, taken) => {
  const logins = keys.map((at) => ({ at, user: "user", password: "word" }));
  expect(loginFor(logins, placeOf(image)!)?.at).toBe(taken);
});
