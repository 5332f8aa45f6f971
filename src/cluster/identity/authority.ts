import { createPrivateKey, createPublicKey, randomBytes, type KeyObject, type webcrypto } from "node:crypto";
import { isIP } from "node:net";
import type { Extension } from "@peculiar/x509";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { curve, makeKeyPair } from "./key.ts";
import { authServerName, subjectUri, type ClusterId, type Subject } from "./names.ts";
import { pinOf, type Pin } from "./pin.ts";
import { loadX509, signing } from "./x509.ts";

/** The key that signs the cluster's certificates, in PEM. */
export type Authority = { readonly pin: Pin; readonly certificate: string; readonly privateKey: string };

export type Validity = { readonly from: UnixSeconds; readonly until: UnixSeconds };

export type Contents = {
  readonly subject: Subject;
  readonly publicKey: KeyObject;
  readonly validity: Validity;
  /** DNS names and IP addresses of a server, besides its own name. */
  readonly hosts?: readonly string[];
};

export type Issued = { readonly certificate: string; readonly serial: string; readonly until: UnixSeconds };

/** Makes an authority with a new key, for a new cluster or for a rotation. */
export async function makeAuthority(cluster: ClusterId, { from, until }: Validity): Promise<Authority> {
  const x509 = await loadX509();
  const pair = await makeKeyPair();
  const keys = webKeyPair(pair.privateKey);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: makeSerial(),
    name: `CN=svc cluster ${cluster}`,
    notBefore: dateOf(from),
    notAfter: dateOf(until),
    signingAlgorithm: signing,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { pin: pinOf(pair.publicKey), certificate: toText(certificate.toString("pem")), privateKey: pair.privateKey };
}

/** Signs the subject and the key that the caller names. The caller has checked the requester. */
export async function issue(authority: Authority, { subject, publicKey, validity, hosts = [] }: Contents): Promise<Issued> {
  const x509 = await loadX509();
  const serial = makeSerial();
  const issuer = new x509.X509Certificate(authority.certificate);
  const isServer = subject.kind === "auth";
  const extensions: Extension[] = [
    new x509.BasicConstraintsExtension(false, undefined, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
    // A host's or a proxy's certificate cannot be used as auth's.
    new x509.ExtendedKeyUsageExtension(isServer ? [clientAuth, serverAuth] : [clientAuth]),
    new x509.SubjectAlternativeNameExtension([
      { type: "url", value: subjectUri(subject) },
      ...(isServer ? [{ type: "dns" as const, value: authServerName(subject.cluster) }, ...hosts.map(nameOf)] : []),
    ]),
    await x509.AuthorityKeyIdentifierExtension.create(webPublicKey(createPublicKey(authority.certificate))),
  ];
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serial,
    subject: `CN=${subject.kind} ${subject.id}`,
    issuer: issuer.subjectName,
    notBefore: dateOf(validity.from),
    notAfter: dateOf(validity.until),
    signingAlgorithm: signing,
    signingKey: webPrivateKey(authority.privateKey),
    publicKey: webPublicKey(publicKey),
    extensions,
  });
  return { certificate: toText(certificate.toString("pem")), serial, until: validity.until };
}

function nameOf(host: string): { readonly type: "dns" | "ip"; readonly value: string } {
  return { type: isIP(host) === 0 ? "dns" : "ip", value: host };
}

const serverAuth = "1.3.6.1.5.5.7.3.1";
const clientAuth = "1.3.6.1.5.5.7.3.2";

/** Makes 128 random bits without a leading zero or sign, in lower case as node:crypto prints them. */
function makeSerial(): string {
  const bytes = randomBytes(16);
  bytes.writeUInt8((bytes.readUInt8() & 0x7f) | 0x40);
  return bytes.toString("hex");
}

function dateOf(seconds: UnixSeconds): Date {
  return new Date(seconds * 1000);
}

function toText(pem: string): string {
  return `${pem.trimEnd()}\n`;
}

const algorithm = { name: "ECDSA", namedCurve: curve };

/** Converts a key for the certificate library. */
function webPrivateKey(pem: string): webcrypto.CryptoKey {
  return createPrivateKey(pem).toCryptoKey(algorithm, false, ["sign"]);
}

function webPublicKey(key: KeyObject): webcrypto.CryptoKey {
  return key.toCryptoKey(algorithm, true, ["verify"]);
}

/** Derives both halves of a key pair from the private one. */
export function webKeyPair(privateKey: string): webcrypto.CryptoKeyPair {
  return { privateKey: webPrivateKey(privateKey), publicKey: webPublicKey(createPublicKey(privateKey)) };
}
