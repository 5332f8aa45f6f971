import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeKeyPair } from "../../../src/cluster/identity/key.ts";
import { pinOf } from "../../../src/cluster/identity/pin.ts";
import { makeRequest, readRequest } from "../../../src/cluster/identity/request.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "request-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function openssl(...argv: readonly string[]): string {
  return execFileSync("openssl", argv, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

function requestOf(name: string, ...key: readonly string[]): { readonly pem: string; readonly publicKey: string } {
  const [keyFile, out] = [join(folder, `${name}.key`), join(folder, `${name}.csr`)];
  openssl("req", "-new", "-nodes", "-newkey", ...key, "-keyout", keyFile, "-subj", "/CN=anybody", "-out", out);
  return { pem: readFileSync(out, "utf8"), publicKey: openssl("pkey", "-in", keyFile, "-pubout") };
}

describe("a request for a certificate", () => {
  test("proves its key, and openssl agrees", async () => {
    const pair = await makeKeyPair();
    const pem = makeRequest(pair.privateKey);
    const reading = await readRequest(pem);
    expect(reading.kind === "request" ? pinOf(reading.publicKey) : reading).toBe(pinOf(pair.publicKey));
    const path = join(folder, "ours.csr");
    writeFileSync(path, pem);
    expect(() => openssl("req", "-in", path, "-verify", "-noout")).not.toThrow();
  });

  test("is whole, however long its signature comes out", async () => {
    const pairs = await Promise.all(Array.from({ length: 100 }, makeKeyPair));
    const requests = pairs.map(({ privateKey }) => makeRequest(privateKey));
    expect(new Set(requests.map((pem) => pem.length)).size).toBeGreaterThan(1);
    const readings = await Promise.all(requests.map(readRequest));
    expect(readings.map((reading) => (reading.kind === "request" ? pinOf(reading.publicKey) : reading))).toEqual(
      pairs.map(({ publicKey }) => pinOf(publicKey)),
    );
  });

  test("is taken from openssl", async () => {
    const { pem, publicKey } = requestOf("theirs", "ec", "-pkeyopt", "ec_paramgen_curve:P-256");
    const reading = await readRequest(pem);
    expect(reading.kind === "request" ? pinOf(reading.publicKey) : reading).toBe(pinOf(publicKey));
  });

  test.each([
    ["RSA", "rsa", ["rsa:2048"]],
    ["Ed25519", "ed25519", ["ed25519"]],
    ["P-384", "secp384r1", ["ec", "-pkeyopt", "ec_paramgen_curve:P-384"]],
  ])("is refused with a key of %s", async (what, named, key) => {
    const reading = await readRequest(requestOf(what, ...key).pem);
    expect(reading).toEqual({ kind: "refused", found: `a key of another type (${named})`, allowed: "ECDSA over P-256" });
  });

  test("is refused where a byte of it was changed", async () => {
    const pem = makeRequest((await makeKeyPair()).privateKey);
    const der = Buffer.from(pem.split("\n").slice(1, -2).join(""), "base64");
    // Within the signature, which comes last.
    der.writeUInt8(der.readUInt8(der.length - 3) ^ 1, der.length - 3);
    const changed = `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString("base64")}\n-----END CERTIFICATE REQUEST-----\n`;
    expect(await readRequest(changed)).toMatchObject({ kind: "refused" });
  });

  test("is refused with more than one in it, or something around it", async () => {
    const pem = makeRequest((await makeKeyPair()).privateKey);
    expect(await readRequest(pem + pem)).toMatchObject({ kind: "refused" });
    expect(await readRequest(`x${pem}`)).toMatchObject({ kind: "refused" });
  });

  test("is refused above its cap, unread", async () => {
    expect(await readRequest("x".repeat(4097))).toEqual({ kind: "refused", found: "4097 characters", allowed: "at most 4096" });
  });

  test("may be any text or bytes, and never throws", async () => {
    const wrapped = fc
      .uint8Array({ maxLength: 400 })
      .map(
        (bytes) =>
          `-----BEGIN CERTIFICATE REQUEST-----\n${Buffer.from(bytes).toString("base64")}\n-----END CERTIFICATE REQUEST-----`,
      );
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), wrapped), async (text) => {
        expect((await readRequest(text)).kind).toBe("refused");
      }),
    );
  });
});
