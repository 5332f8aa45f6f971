import { createPublicKey, sign, type KeyObject } from "node:crypto";
import { isP256 } from "./key.ts";
import { loadX509 } from "./x509.ts";

/** Enough: a request with P-256 has 400 to 700 characters. */
const longestRequest = 4096;

export type RequestReading =
  | { readonly kind: "request"; readonly publicKey: KeyObject }
  | { readonly kind: "refused"; readonly found: string; readonly allowed: string };

/**
 * Makes a PKCS #10 request in PEM. It has only the key and the signature, and no name, because auth decides that. Does not use the library, which
 * every host would have to load.
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
/** The object identifier 1.2.840.10045.4.3.2. */
const ecdsaWithSha256 = Buffer.from("06082a8648ce3d040302", "hex");

/** One ASN.1 element: its tag, its length, its content. Works for less than 256 bytes, which a request with P-256 never has. */
function element(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  return Buffer.concat([length < 0x80 ? Buffer.of(tag, length) : Buffer.of(tag, 0x81, length), content]);
}

/** Reads the key of a request, and checks by the signature that the requester has its private half. Ignores everything else. */
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
    // The library and OpenSSL throw all kinds of errors for invalid input, and none says more.
    return refused("something else", allowedForm);
  }
}

const allowedForm = "a certificate request in PEM";
const block = /^\s*-----BEGIN (?<label>(?:NEW )?CERTIFICATE REQUEST)-----(?<body>[A-Za-z0-9+/=\s]+)-----END \k<label>-----\s*$/;

/** Accepts exactly one block, with nothing around it. */
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
