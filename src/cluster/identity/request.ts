import { createPublicKey, sign, type KeyObject } from "node:crypto";
import { isP256 } from "./key.ts";
import { loadX509 } from "./x509.ts";

/** One of P-256 has 400 to 700 characters. */
const longestRequest = 4096;

export type RequestReading =
  | { readonly kind: "request"; readonly publicKey: KeyObject }
  /** What it should have been instead. */
  | { readonly kind: "refused"; readonly found: string; readonly allowed: string };

/**
 * A PKCS #10 request in PEM. It names nobody: who somebody is, auth says. Without the library, which every host would load for it: of
 * all that a request may hold, this one has the key and the signature alone.
 */
export function makeRequest(privateKey: string): string {
  const publicKey = createPublicKey(privateKey).export({ type: "spki", format: "der" });
  const contents = element(sequence, element(integer, Buffer.of(0)), element(sequence), publicKey, element(attributes));
  const signature = element(bitString, Buffer.of(0), sign("sha256", contents, privateKey));
  const base64 = element(sequence, contents, element(sequence, ecdsaWithSha256), signature).toString("base64");
  const lines = base64.match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE REQUEST-----\n${lines.join("\n")}\n-----END CERTIFICATE REQUEST-----\n`;
}

const [integer, bitString, sequence, attributes] = [0x02, 0x03, 0x30, 0xa0];
/** 1.2.840.10045.4.3.2 */
const ecdsaWithSha256 = Buffer.from("06082a8648ce3d040302", "hex");

/** One element: its tag, its length, what is in it. A request of P-256 has less than 256 bytes, and so have its parts. */
function element(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  return Buffer.concat([length < 0x80 ? Buffer.of(tag, length) : Buffer.of(tag, 0x81, length), content]);
}

/** The key of a request, once its signature has proven that who made it holds the key. Nothing else in it is read. */
export async function readRequest(pem: string): Promise<RequestReading> {
  if (pem.length > longestRequest) return refused(`${pem.length} characters`, `at most ${longestRequest}`);
  const der = oneBlock(pem);
  if (der === undefined) return refused("something else", allowedForm);
  const x509 = await loadX509();
  try {
    const request = new x509.Pkcs10CertificateRequest(der);
    const publicKey = createPublicKey({ key: Buffer.from(request.publicKey.rawData), format: "der", type: "spki" });
    if (!isP256(publicKey)) return refused(`a key of another type (${nameOf(publicKey)})`, "ECDSA over P-256");
    return (await request.verify())
      ? { kind: "request", publicKey }
      : refused("a signature of another key", "one of the key in it");
  } catch {
    // The library and OpenSSL throw of every kind on what is no request; there is no more to tell than that.
    return refused("something else", allowedForm);
  }
}

const allowedForm = "a certificate request in PEM";
const block = /^\s*-----BEGIN (?<label>(?:NEW )?CERTIFICATE REQUEST)-----(?<body>[A-Za-z0-9+/=\s]+)-----END \k<label>-----\s*$/;

/** Exactly one, with nothing around it. */
function oneBlock(pem: string): Buffer | undefined {
  const body = block.exec(pem)?.groups?.["body"];
  return body === undefined ? undefined : Buffer.from(body, "base64");
}

function nameOf(key: KeyObject): string {
  return key.asymmetricKeyDetails?.namedCurve ?? key.asymmetricKeyType ?? "unknown";
}

function refused(found: string, allowed: string): RequestReading {
  return { kind: "refused", found, allowed };
}
