import { createHash, timingSafeEqual } from "node:crypto";

export function digestOfToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Enough to tell tokens apart, and useless to an attacker. */
export function nameOfDigest(tokenDigest: string): string {
  return tokenDigest.slice(0, 16);
}

/** Compares in constant time. */
export function isSameDigest(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
