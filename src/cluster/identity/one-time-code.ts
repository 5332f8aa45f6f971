import { createHmac, randomBytes } from "node:crypto";
import type { UnixSeconds } from "../../rules/window/window.ts";

/** Codes of RFC 6238 with every authenticator's defaults: SHA-1, six digits, a new one every 30 seconds. */
export const codePattern: RegExp = /^\d{6}$/;

const stepSeconds = 30;
const digits = 6;
/** The length that RFC 4226 recommends, that of a SHA-1 sum. */
const secretBytes = 20;
/** Also accepts one step back and one ahead, because clocks differ and typing takes time. */
const stepsAround = [0, -1, 1];

/** Makes a secret in base32, which authenticators accept. */
export function makeSecret(): string {
  return printBase32(randomBytes(secretBytes));
}

export function codeAt(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7f_ff_ff_ff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

export function stepAt(now: UnixSeconds): number {
  return Math.floor(now / stepSeconds);
}

/** The step whose code this is, around now; undefined if it is no code of these steps. */
export function stepOf(code: string, secret: string, now: UnixSeconds): number | undefined {
  const key = parseBase32(secret);
  if (key === undefined) return undefined;
  const current = stepAt(now);
  return stepsAround.map((around) => current + around).find((step) => step >= 0 && codeAt(key, step) === code);
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Prints base32 without padding. */
export function printBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, "0"), 2)]).join("");
}

export function parseBase32(text: string): Uint8Array | undefined {
  if (!/^[A-Z2-7]{1,128}$/.test(text)) return undefined;
  const bits = Array.from(text, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0")).join("");
  const bytes = bits.match(/.{8}/g) ?? [];
  return Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2));
}
