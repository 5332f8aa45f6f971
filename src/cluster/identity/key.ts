import { generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";

/** A key pair of ECDSA over P-256 in PEM: SubjectPublicKeyInfo and PKCS #8. */
export type KeyPair = { readonly publicKey: string; readonly privateKey: string };

export const curve = "P-256";
/** The curve's name in OpenSSL and node:crypto. */
const curveOfOpenssl = "prime256v1";

/** Makes a key pair. The private key never leaves the host that made it. */
export async function makeKeyPair(): Promise<KeyPair> {
  return await promisify(generateKeyPair)("ec", {
    namedCurve: curve,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
}

/** Whether the key is of P-256. Only such keys are certified, or accepted in a certificate. */
export function isP256(key: KeyObject): boolean {
  return key.asymmetricKeyType === "ec" && key.asymmetricKeyDetails?.namedCurve === curveOfOpenssl;
}
