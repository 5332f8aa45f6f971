import type { Random } from "./random.ts";

/** A valid text made a little wrong, or wrong in a way that looks right. */
export function mutate(random: Random, text: string): string {
  let mutated = text;
  for (let round = random.pick([1, 1, 1, 2, 3]); round > 0; round -= 1) mutated = random.pick(mutations)(random, mutated);
  return mutated;
}

/** What no grammar was written for. */
export function noise(random: Random): string {
  const sign = (): string => random.pick([...hostile, ...asciiSigns, String.fromCodePoint(random.below(0x11_0000))]);
  return random.several(0, 12, sign).join("");
}

type Mutation = (random: Random, text: string) => string;

const mutations: readonly Mutation[] = [
  (random, text) => insert(random, text, random.pick(hostile)),
  (random, text) => insert(random, text, random.pick(hostile)),
  (random, text) => insert(random, text, random.pick(asciiSigns)),
  (random, text) => text + random.pick(edges),
  (random, text) => random.pick(edges) + text,
  (random, text) => replaceAt(random, text, (sign) => String.fromCharCode(sign.charCodeAt(0) ^ (1 << random.below(8)))),
  (random, text) => replaceAt(random, text, () => ""),
  (random, text) => replaceAt(random, text, (sign) => sign + sign),
  (random, text) => replaceAt(random, text, (sign) => lookAlikes.get(sign.toLowerCase()) ?? sign),
  (random, text) => replaceAt(random, text, (sign) => (sign === sign.toUpperCase() ? sign.toLowerCase() : sign.toUpperCase())),
  (random, text) =>
    replaceAt(random, text, (sign) => `%${sign.charCodeAt(0).toString(16).slice(-2).padStart(2, "0").toUpperCase()}`),
  (random, text) => text.slice(0, random.below(text.length + 1)),
  (random, text) => text.slice(random.below(text.length + 1)),
  (_random, text) => text.toUpperCase(),
  (_random, text) => text.replaceAll("\n", "\r\n"),
  changeNumber,
  changeNumber,
  splice,
  stretch,
];

function insert(random: Random, text: string, piece: string): string {
  const at = random.below(text.length + 1);
  return text.slice(0, at) + piece + text.slice(at);
}

function replaceAt(random: Random, text: string, replacement: (sign: string) => string): string {
  if (text === "") return text;
  const at = random.below(text.length);
  return text.slice(0, at) + replacement(text.charAt(at)) + text.slice(at + 1);
}

/** One number of the text, made another one or written otherwise. */
function changeNumber(random: Random, text: string): string {
  const numbers = [...text.matchAll(/\d+/g)];
  const chosen = numbers.length === 0 ? undefined : random.pick(numbers);
  if (chosen === undefined) return text;
  const [digits] = chosen;
  const near = String(Math.max(0, Number(digits) + random.pick([-1, 1])));
  const changed = random.pick([
    near,
    near,
    `0${digits}`,
    `${digits}0`,
    `-${digits}`,
    `+${digits}`,
    `${digits}.0`,
    ...numbersOfNote,
  ]);
  return text.slice(0, chosen.index) + changed + text.slice(chosen.index + digits.length);
}

/** A piece of the text again, at another place of it. */
function splice(random: Random, text: string): string {
  const from = random.below(text.length + 1);
  const piece = text.slice(from, from + 1 + random.below(12));
  return insert(random, text, piece);
}

/** Very long, seldom: what takes quadratic time shows here. */
function stretch(random: Random, text: string): string {
  const length = random.onceIn(6) ? 60_000 : random.pick([5, 64, 130, 260]);
  const piece = random.pick([" ", "\t", "/", "a", "0", "9", ".", "-", ":", "[", "{", "@", "\\", '"', "#", "\n", text.charAt(0)]);
  return insert(random, text, piece.repeat(length));
}

const asciiSigns: readonly string[] = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));

const edges: readonly string[] = [
  " ",
  "\t",
  "\n",
  "\r\n",
  "\0",
  "\ufeff",
  "\u00a0",
  "\u0085",
  "\u2028",
  ".",
  "/",
  ";",
  "\u0001",
  "v",
];

const hostile: readonly string[] = [
  "\0",
  "\u0001",
  "\u001b[31m",
  "\u007f",
  "\u0085",
  "\u00a0",
  "\u00ad",
  "\u200b",
  "\u202e",
  "\u2028",
  "\u3000",
  "\ufeff",
  "\ufffd",
  "\uffff",
  "\ud800",
  "\udc00",
  "\r",
  "\n",
  "\r\n",
  "\t",
  "\v",
  "  ",
  "..",
  "//",
  "../",
  "%00",
  "%2e%2e",
  "%2F",

  "__proto__",
  "constructor",
  "toString",
  "null",
  "true",
  "none",
  "nop",
  "\\",
  "\\\n",
  "'",
  '"',
  "[",
  "]",
  "{",
  "}",
  "@",
  ":@",

  "localhost",
  "127.0.0.1",
  "::1",
  "0x7f",
  "１",
  "。",
  "／",
  "ﬀ",
  "é",
  "ß",
  "😀",
  "-",
  "+",
  "~",
  "->",
  " -> ",
  "#",
  "e5",
  ".0",
];

const lookAlikes: ReadonlyMap<string, string> = new Map([
  ["a", "а"],
  ["c", "с"],
  ["e", "е"],
  ["i", "і"],
  ["k", "\u212a"],
  ["o", "о"],
  ["p", "р"],
  ["s", "ſ"],
  ["v", "ν"],
  ["x", "х"],
  [".", "。"],
  ["/", "／"],
  [":", "："],
  ["-", "‐"],
  [" ", "\u00a0"],
  ...Array.from({ length: 10 }, (_, digit): readonly [string, string] => [String(digit), String.fromCharCode(0xff10 + digit)]),
]);

const numbersOfNote: readonly string[] = [
  "0",
  "1",
  "-1",
  "23",
  "24",
  "31",
  "32",
  "33",
  "59",
  "60",
  "64",
  "96",
  "127",
  "128",
  "129",
  "255",
  "256",
  "65535",
  "65536",
  "86400",
  "2147483647",
  "4294967296",
  "9007199254740991",
  "9007199254740992",
  "99999999999999999999",
  "1e3",
  "0x10",
  "١",
];
