import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { isP256 } from "./key.ts";

const agreement = "ECDH-ES";
const cipher = "A256GCM";

/** The key to which a caller wants the answer sealed; undefined if it is not of P-256. */
export function parseSealingKey(pem: string): KeyObject | undefined {
  try {
    const key = createPublicKey(pem);
    return isP256(key) ? key : undefined;
  } catch {
    return undefined;
  }
}

/** Encrypts a value so that only the holder of the private key can read it. */
export async function seal(key: KeyObject, value: unknown): Promise<string> {
  const { CompactEncrypt } = await import("jose");
  return await new CompactEncrypt(Buffer.from(JSON.stringify(value)))
    .setProtectedHeader({ alg: agreement, enc: cipher })
    .encrypt(key);
}

export async function unseal(privateKey: string, sealed: string): Promise<unknown> {
  const { compactDecrypt } = await import("jose");
  const { plaintext } = await compactDecrypt(sealed, createPrivateKey(privateKey), {
    keyManagementAlgorithms: [agreement],
    contentEncryptionAlgorithms: [cipher],
  });
  return JSON.parse(Buffer.from(plaintext).toString());
}
