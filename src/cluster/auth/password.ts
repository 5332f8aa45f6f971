import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

/** A stored password: argon2id in the PHC string format. */
declare const keptPasswordBrand: unique symbol;
export type KeptPassword = string & { readonly [keptPasswordBrand]: true };

export const leastCharacters = 12;
/** A longer password adds no security, and costs as much to hash. */
export const mostPasswordBytes = 1024;

type Cost = { readonly memory: number; readonly passes: number; readonly parallelism: number };

/** OWASP's first choice: 19 MiB, twice over, in one lane. */
const cost: Cost = { memory: 19_456, passes: 2, parallelism: 1 };
/** A later release may store higher costs; more than these are refused. */
const most: Cost = { memory: 262_144, passes: 16, parallelism: 16 };
const saltBytes = 16;
const tagBytes = 32;

const pattern =
  /^\$argon2id\$v=19\$m=(?<memory>\d{1,7}),t=(?<passes>\d{1,3}),p=(?<parallelism>\d{1,3})\$(?<salt>[A-Za-z0-9+/]{11,86})\$(?<tag>[A-Za-z0-9+/]{43,86})$/;

type Parts = { readonly cost: Cost; readonly salt: Buffer; readonly tag: Buffer };

export function parseKeptPassword(text: string): KeptPassword | undefined {
  return partsOf(text) === undefined ? undefined : (text as KeptPassword);
}

export async function keepPassword(password: string): Promise<KeptPassword> {
  const salt = randomBytes(saltBytes);
  const tag = await derive(password, { cost, salt, tag: Buffer.alloc(tagBytes) });
  return print({ cost, salt, tag });
}

/** A wrong password takes as long as the right one. */
export async function isPassword(password: string, kept: KeptPassword): Promise<boolean> {
  const parts = partsOf(kept);
  if (parts === undefined) return false;
  return timingSafeEqual(await derive(password, parts), parts.tag);
}

/** Stands in for a password that does not exist, so that the answer takes as long. */
export const nobodysPassword: KeptPassword = print({ cost, salt: randomBytes(saltBytes), tag: randomBytes(tagBytes) });

const argon2Async = promisify(argon2);

/** Normalized, since keyboards compose characters in different ways. */
function derive(password: string, { cost: { memory, passes, parallelism }, salt, tag }: Parts): Promise<Buffer> {
  const message = Buffer.from(password.normalize("NFC"));
  return argon2Async("argon2id", { message, nonce: salt, tagLength: tag.length, memory, passes, parallelism });
}

function print({ cost: { memory, passes, parallelism }, salt, tag }: Parts): KeptPassword {
  const base64 = (bytes: Buffer): string => bytes.toString("base64").replaceAll("=", "");
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}` as KeptPassword;
}

function partsOf(text: string): Parts | undefined {
  const groups = pattern.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const { memory, passes, parallelism, salt = "", tag = "" } = groups;
  const read = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const isBearable = read.passes >= 1 && read.parallelism >= 1 && read.memory >= 8 * read.parallelism;
  if (!isBearable || read.memory > most.memory || read.passes > most.passes || read.parallelism > most.parallelism) {
    return undefined;
  }
  return { cost: read, salt: Buffer.from(salt, "base64"), tag: Buffer.from(tag, "base64") };
}
