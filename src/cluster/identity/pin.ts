import { createHash, createPublicKey, type KeyObject } from "node:crypto";

declare const pinBrand: unique symbol;

/** `sha256:` and the digest of a SubjectPublicKeyInfo in lower-case hex. It names a key, whichever certificate has the key. */
export type Pin = string & { readonly [pinBrand]: true };

const pattern = /^sha256:[0-9a-f]{64}$/;

export function parsePin(text: string): Pin | undefined {
  return pattern.test(text) ? (text as Pin) : undefined;
}

/** Takes a public key, or PEM that contains one, such as a certificate. */
export function pinOf(key: KeyObject | string): Pin {
  const publicKey = typeof key === "string" ? createPublicKey(key) : key;
  const digest = createHash("sha256").update(publicKey.export({ type: "spki", format: "der" }));
  return `sha256:${digest.digest("hex")}` as Pin;
}
