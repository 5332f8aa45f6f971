import { createPrivateKey, createPublicKey, type KeyObject, type webcrypto } from "node:crypto";
import { curve } from "./key.ts";

const algorithm = { name: "ECDSA", namedCurve: curve };

/** Converts a key for the certificate library. */
export function webPrivateKey(pem: string): webcrypto.CryptoKey {
  return createPrivateKey(pem).toCryptoKey(algorithm, false, ["sign"]);
}

export function webPublicKey(key: KeyObject): webcrypto.CryptoKey {
  return key.toCryptoKey(algorithm, true, ["verify"]);
}

/** Derives both halves of a key pair from the private one. */
export function webKeyPair(privateKey: string): webcrypto.CryptoKeyPair {
  return { privateKey: webPrivateKey(privateKey), publicKey: webPublicKey(createPublicKey(privateKey)) };
}
