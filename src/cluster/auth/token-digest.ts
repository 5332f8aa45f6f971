import { createHash, timingSafeEqual } from "node:crypto";

export function digestOfToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Enough of the digest to tell them apart, and of no use to anybody. */
export function nameOfDigest(tokenDigest: string): string {
  return tokenDigest.slice(0, 16);
}

/** In a time that says nothing of how much of it was guessed. */
export function isSameDigest(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
