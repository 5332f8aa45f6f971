import { createPrivateKey, createPublicKey, randomUUID } from "node:crypto";
import { exportJWK, SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { makeKeyPair } from "../../../src/cluster/identity/key.ts";
import type { ClusterId } from "../../../src/cluster/identity/names.ts";
import { freshSeconds, makeProof, readProof, type Call } from "../../../src/cluster/identity/proof.ts";

const { privateKey } = await makeKeyPair();
const call: Call = {
  cluster: randomUUID() as ClusterId,
  path: "/svc.v1.ResourceService/UpsertResource",
  body: new TextEncoder().encode('{"resource":{}}'),
  token: "t".repeat(64),
  now: 1_767_614_400,
};

/** What jose makes of claims that we would not make. */
async function forged(claims: object, header: object = {}): Promise<string> {
  const jwk = await exportJWK(createPublicKey(privateKey));
  const proof = await makeProof(privateKey, call);
  const own = JSON.parse(Buffer.from(proof.split(".")[1] ?? "", "base64url").toString()) as object;
  return new SignJWT({ ...own, ...claims })
    .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk, ...header })
    .sign(createPrivateKey(privateKey));
}

describe("a proof", () => {
  test("is of the key, and another one each time", async () => {
    const [one, two] = [await makeProof(privateKey, call), await makeProof(privateKey, call)];
    const [first, second] = [await readProof(one, call), await readProof(two, call)];
    if (first.kind !== "proven" || second.kind !== "proven") throw new Error(JSON.stringify([first, second]));
    expect(first.key).toBe(second.key);
    expect(first.id).not.toBe(second.id);
    expect(first.made).toBe(call.now);
    const other = await readProof(await makeProof((await makeKeyPair()).privateKey, call), call);
    expect(other.kind === "proven" && other.key !== first.key).toBe(true);
  });

  test("of a call without a session is one, too", async () => {
    const without = { ...call, token: undefined };
    expect(await readProof(await makeProof(privateKey, without), without)).toMatchObject({ kind: "proven" });
    expect(await readProof(await makeProof(privateKey, without), call)).toEqual({ kind: "refused", why: "other-session" });
    expect(await readProof(await makeProof(privateKey, call), without)).toEqual({ kind: "refused", why: "other-session" });
  });

  test.each([
    ["another method's", { path: "/svc.v1.ResourceService/DeleteResource" }, "other-call"],
    ["another cluster's", { cluster: randomUUID() as ClusterId }, "other-call"],
    ["another body's", { body: new TextEncoder().encode('{"resource":{} }') }, "other-body"],
    ["another session's", { token: "u".repeat(64) }, "other-session"],
    ["too old", { now: call.now + freshSeconds + 1 }, "not-fresh"],
    ["from the future", { now: call.now - freshSeconds - 1 }, "not-fresh"],
  ] as const)("is refused where it is %s", async (_title, change, why) => {
    const proof = await makeProof(privateKey, call);
    expect(await readProof(proof, { ...call, ...change })).toEqual({ kind: "refused", why });
  });

  test.each([-freshSeconds, 0, freshSeconds])("is fresh %d seconds away", async (seconds) => {
    const proof = await makeProof(privateKey, call);
    expect(await readProof(proof, { ...call, now: call.now + seconds })).toMatchObject({ kind: "proven" });
  });

  test.each([
    ["an id that is none", { jti: "short" }, "malformed"],
    ["no id", { jti: undefined }, "malformed"],
    ["no time", { iat: undefined }, "malformed"],
    ["half a second", { iat: call.now + 0.5 }, "malformed"],
    ["no digest of the body", { body: undefined }, "malformed"],
    ["another verb", { htm: "GET" }, "other-call"],
  ])("is refused where it has %s", async (_title, claims, why) => {
    expect(await readProof(await forged(claims), call)).toEqual({ kind: "refused", why });
  });

  test("is refused where its signature is of another key than it shows", async () => {
    const jwk = await exportJWK(createPublicKey((await makeKeyPair()).publicKey));
    expect(await readProof(await forged({}, { jwk }), call)).toEqual({ kind: "refused", why: "signature" });
  });

  test("is refused where it is of another kind", async () => {
    expect(await readProof(await forged({}, { typ: "JWT" }), call)).toEqual({ kind: "refused", why: "malformed" });
    expect(await readProof(await forged({}, { jwk: undefined }), call)).toEqual({ kind: "refused", why: "malformed" });
    const [header = "", claims = ""] = (await makeProof(privateKey, call)).split(".");
    const none = Buffer.from(JSON.stringify({ alg: "none", typ: "dpop+jwt" })).toString("base64url");
    for (const text of ["", "a.b.c", `${header}.${claims}.`, `${none}.${claims}.`, `${header}.${claims}`, "x".repeat(100_000)]) {
      expect(await readProof(text, call)).toMatchObject({ kind: "refused" });
    }
  });

  test("shows no private key", async () => {
    const [header = ""] = (await makeProof(privateKey, call)).split(".");
    const { jwk } = JSON.parse(Buffer.from(header, "base64url").toString()) as { readonly jwk: object };
    expect(Object.keys(jwk).toSorted()).toEqual(["crv", "kty", "x", "y"]);
  });
});
