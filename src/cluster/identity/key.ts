import { generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";

/** ECDSA over P-256, in PEM: SubjectPublicKeyInfo and PKCS #8. */
export type KeyPair = { readonly publicKey: string; readonly privateKey: string };

export const curve = "P-256";
/** The curve's name in OpenSSL and node:crypto. */
const curveOfOpenssl = "prime256v1";

/** The private key never leaves the host that made it. */
export async function makeKeyPair(): Promise<KeyPair> {
  return await promisify(generateKeyPair)("ec", {
    namedCurve: curve,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
}

/** Only these keys are certified, or accepted in a certificate, so that no weak kind can be used. */
export function isP256(key: KeyObject): boolean {
  return key.asymmetricKeyType === "ec" && key.asymmetricKeyDetails?.namedCurve === curveOfOpenssl;
}
