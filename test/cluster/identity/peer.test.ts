import { createPublicKey, X509Certificate } from "node:crypto";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { issue, type Authority } from "../../../src/cluster/identity/authority.ts";
import { makeKeyPair } from "../../../src/cluster/identity/key.ts";
import { authServerName, subjectUri } from "../../../src/cluster/identity/names.ts";
import { readPeer, standingAt } from "../../../src/cluster/identity/peer.ts";
import { parsePin, pinOf } from "../../../src/cluster/identity/pin.ts";
import { authorityOf, cluster, instance, leafOf, month, now, otherCluster, trusted } from "./made.ts";

let folder: string;
let authority: Authority;
/** Of another cluster, that calls itself by our cluster's name. */
let impostor: Authority;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "identity-"));
  [authority, impostor] = await Promise.all([authorityOf(), authorityOf()]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function openssl(...argv: readonly string[]): string {
  return execFileSync("openssl", argv, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** A certificate that openssl makes of the authority's own key, for what our own code would not issue. */
function made(
  name: string,
  extensions: string,
  keyArgument: readonly string[] = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"],
): X509Certificate {
  const [ca, caKey] = [file(`${name}-ca.pem`, authority.certificate), file(`${name}-ca.key`, authority.privateKey)];
  const request = join(folder, `${name}.csr`);
  openssl("req", "-new", "-nodes", ...keyArgument, "-keyout", join(folder, `${name}.key`), "-subj", "/CN=x", "-out", request);
  const [out, ext] = [join(folder, `${name}.pem`), file(`${name}.ext`, extensions)];
  openssl("x509", "-req", "-in", request, "-CA", ca, "-CAkey", caKey, "-days", "30", "-extfile", ext, "-out", out);
  return new X509Certificate(readFileSync(out));
}

describe("a peer's certificate", () => {
  test.each(["node", "proxy", "auth"] as const)("says whose it is: of kind %s", async (kind) => {
    const leaf = await leafOf(authority, kind);
    expect(readPeer(leaf.read, [trusted(impostor), trusted(authority)], cluster)).toEqual({
      kind: "peer",
      peer: {
        subject: { cluster, kind, id: instance },
        serial: leaf.serial,
        key: pinOf(leaf.pair.publicKey),
        ...month,
        authority: authority.pin,
      },
    });
  });

  test("is unknown where another authority of the same name signed it", async () => {
    const leaf = await leafOf(impostor, "node");
    expect(readPeer(leaf.read, [trusted(authority)], cluster)).toEqual({ kind: "refused", why: "unknown-authority" });
  });

  test("is unknown where it signed itself, with the right words in it", () => {
    const out = join(folder, "self.pem");
    const uri = subjectUri({ cluster, kind: "node", id: instance });
    openssl(
      "req",
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:P-256",
      "-nodes",
      "-keyout",
      join(folder, "self.key"),
      "-subj",
      "/CN=x",
      "-addext",
      `subjectAltName=URI:${uri}`,
      "-out",
      out,
    );
    const forged = new X509Certificate(readFileSync(out));
    expect(readPeer(forged, [trusted(authority)], cluster)).toEqual({ kind: "refused", why: "unknown-authority" });
  });

  test("is unknown where a host's certificate issued it", async () => {
    const host = await leafOf(authority, "node");
    const below: Authority = { pin: pinOf(host.pair.publicKey), certificate: host.certificate, privateKey: host.pair.privateKey };
    const leaf = await leafOf(below, "auth");
    expect(readPeer(leaf.read, [trusted(authority)], cluster)).toEqual({ kind: "refused", why: "unknown-authority" });
    expect(readPeer(leaf.read, [trusted(below)], cluster)).toEqual({ kind: "refused", why: "unknown-authority" });
  });

  test("is another cluster's where its words say so", async () => {
    const leaf = await leafOf(authority, "node", otherCluster);
    expect(readPeer(leaf.read, [trusted(authority)], cluster)).toEqual({ kind: "refused", why: "other-cluster" });
  });

  const uri = subjectUri({ cluster, kind: "node", id: instance });
  test.each([
    ["no alternative name", "basicConstraints=CA:FALSE"],
    ["two subjects", `subjectAltName=URI:${uri},URI:${uri}`],
    ["auth's name beside a host's subject", `subjectAltName=URI:${uri},DNS:${authServerName(cluster)}`],
    [
      "auth's subject, its name and a URI more",
      `subjectAltName=URI:${subjectUri({ cluster, kind: "auth", id: instance })},DNS:${authServerName(cluster)},URI:${uri}`,
    ],
    [
      "auth's subject without its name",
      `subjectAltName=URI:${subjectUri({ cluster, kind: "auth", id: instance })},DNS:a.example.com`,
    ],
    ["its subject as a DNS name", `subjectAltName=DNS:${uri}`],
    ["a DNS name that is printed like two names", `subjectAltName=DNS:x\\, URI:${uri}`],
    ["the right to issue", `basicConstraints=CA:TRUE\nsubjectAltName=URI:${uri}`],
  ])("is no identity with %s, though the authority signed it", (what, extensions) => {
    const certificate = made(what.replaceAll(/\W/g, "-"), extensions);
    expect(readPeer(certificate, [trusted(authority)], cluster)).toEqual({ kind: "refused", why: "not-an-identity" });
  });

  test.each([
    ["RSA", ["-newkey", "rsa:2048"]],
    ["P-384", ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-384"]],
  ])("is no identity with a key of %s", (what, keyArgument) => {
    const certificate = made(what, `subjectAltName=URI:${uri}`, keyArgument);
    expect(readPeer(certificate, [trusted(authority)], cluster)).toEqual({ kind: "refused", why: "not-an-identity" });
  });

  test.each([
    [month.from - 1, "not-yet"],
    [month.from, "valid"],
    [now, "valid"],
    [month.until, "valid"],
    [month.until + 1, "expired"],
  ])("at %i is %s", (at, standing) => {
    expect(standingAt(month, at)).toBe(standing);
  });
});

describe("openssl reads of what is issued", () => {
  test.each([
    ["node", "TLS Web Client Authentication", `URI:${subjectUri({ cluster, kind: "node", id: instance })}`],
    ["proxy", "TLS Web Client Authentication", `URI:${subjectUri({ cluster, kind: "proxy", id: instance })}`],
    [
      "auth",
      "TLS Web Client Authentication, TLS Web Server Authentication",
      `URI:${subjectUri({ cluster, kind: "auth", id: instance })}, DNS:${authServerName(cluster)}`,
    ],
  ] as const)("a certificate of kind %s: what it is for, and its names", async (kind, usage, names) => {
    const leaf = await leafOf(authority, kind);
    const text = openssl("x509", "-in", file(`${kind}.pem`, leaf.certificate), "-noout", "-text")
      .split("\n")
      .map((line) => line.trim());
    expect(text[text.indexOf("X509v3 Extended Key Usage:") + 1]).toBe(usage);
    expect(text[text.indexOf("X509v3 Subject Alternative Name:") + 1]).toBe(names);
    expect(text).toContain("CA:FALSE");
  });

  test("that the authority signed it, and that no host may serve as auth", async () => {
    const ca = file("ca.pem", authority.certificate);
    const [host, auth] = await Promise.all([leafOf(authority, "node"), leafOf(authority, "auth")]);
    const verify = (purpose: string, path: string): string =>
      openssl("verify", "-x509_strict", "-attime", String(now), "-CAfile", ca, "-purpose", purpose, path);
    const [hostFile, authFile] = [file("host.pem", host.certificate), file("auth.pem", auth.certificate)];
    expect(verify("sslclient", hostFile)).toContain(": OK");
    expect(verify("sslserver", authFile)).toContain(": OK");
    expect(() => verify("sslserver", hostFile)).toThrow(/(?:un)?suitable certificate purpose/);
  });

  test("the same pin", () => {
    const key = openssl("x509", "-in", file("pin.pem", authority.certificate), "-noout", "-pubkey");
    const path = file("pin.key", key);
    const der = join(folder, "pin.der");
    openssl("pkey", "-pubin", "-in", path, "-outform", "DER", "-out", der);
    const digest = openssl("dgst", "-sha256", "-r", der).split(" ", 1)[0];
    expect(authority.pin).toBe(`sha256:${digest}`);
    expect(parsePin(authority.pin)).toBe(authority.pin);
    expect(pinOf(authority.certificate)).toBe(authority.pin);
  });
});

test.each(["", "sha256:", `sha256:${"A".repeat(64)}`, `sha1:${"a".repeat(64)}`, `sha256:${"a".repeat(64)} `])(
  "%j is no pin",
  (text) => {
    expect(parsePin(text)).toBeUndefined();
  },
);

test("every certificate has a serial number of its own", async () => {
  const pair = await makeKeyPair();
  const contents = {
    subject: { cluster, kind: "node" as const, id: instance },
    publicKey: createPublicKey(pair.publicKey),
    validity: month,
  };
  const [one, other] = await Promise.all([issue(authority, contents), issue(authority, contents)]);
  expect(one.serial).not.toBe(other.serial);
});
