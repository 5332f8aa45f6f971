import type { Random } from "./random.ts";

/** A text near a grammar: right, a little wrong, or nothing of the kind. */
export function near(sample: (random: Random) => string): (random: Random) => string {
  return (random) => {
    const manner = random.below(20);
    if (manner < 7) return sample(random);
    return manner < 19 ? mutate(random, sample(random)) : noise(random);
  };
}

/** A valid text made a little wrong. */
export function mutate(random: Random, text: string): string {
  let mutated = text;
  for (let round = random.pick([1, 1, 1, 2, 3]); round > 0; round -= 1) mutated = random.pick(mutations)(random, mutated);
  return mutated;
}

/** What no grammar was written for. */
function noise(random: Random): string {
  const sign = (): string => random.pick([...hostile, ascii(random), String.fromCodePoint(random.below(0x11_0000))]);
  return random.several(0, 12, sign).join("");
}

type Mutation = (random: Random, text: string) => string;

const mutations: readonly Mutation[] = [
  (random, text) => insert(random, text, random.pick(hostile)),
  (random, text) => insert(random, text, random.pick(hostile)),
  (random, text) => insert(random, text, ascii(random)),
  (random, text) => text + random.pick(hostile),
  (random, text) => random.pick(hostile) + text,
  (random, text) => replaceAt(random, text, (sign) => String.fromCharCode(sign.charCodeAt(0) ^ (1 << random.below(8)))),
  (random, text) => replaceAt(random, text, () => ""),
  (random, text) => replaceAt(random, text, (sign) => sign + sign),
  (random, text) => replaceAt(random, text, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, "0").slice(-2)}`),
  (random, text) => text.slice(0, random.below(text.length + 1)),
  (random, text) => text.slice(random.below(text.length + 1)),
  (_random, text) => text.toUpperCase(),
  (_random, text) => text.replaceAll("\n", "\r\n"),
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
  const number = random.pick([...text.matchAll(/\d+/g), undefined]);
  if (number === undefined) return text;
  const [digits] = number;
  const other = String(Number(digits) + random.pick([-1, 1]));
  const changed = random.pick([other, `0${digits}`, `-${digits}`, `${digits}.0`, "65536", "9".repeat(20), "1e3", "١"]);
  return text.slice(0, number.index) + changed + text.slice(number.index + digits.length);
}

/** A piece of the text again, at another place of it. */
function splice(random: Random, text: string): string {
  const from = random.below(text.length + 1);
  return insert(random, text, text.slice(from, from + 1 + random.below(12)));
}

/** Very long, seldom: what takes quadratic time shows here. */
function stretch(random: Random, text: string): string {
  const length = random.onceIn(6) ? 60_000 : random.pick([5, 64, 130, 260]);
  return insert(random, text, random.pick([...Array.from(` \t/a09.-:[{@\\"#\n`), text.charAt(0)]).repeat(length));
}

function ascii(random: Random): string {
  return String.fromCharCode(32 + random.below(95));
}

/** Controls, white space of all kinds, halves of characters, what opens and does not close, and words that mean something elsewhere. */
const hostile: readonly string[] = [
  ...Array.from(
    "\0\u0001\u001b\u007f\u0085\u00a0\u00ad\u200b\u202e\u2028\u3000\ufeff\ufffd\uffff\r\n\t\v\\'\"[]{}@#-+~.;１。／ﬀß😀\udc00",
  ),
  "\ud800",
  "\r\n",
  "\\\n",
  ..."  |..|//|../|%00|%2F|%FF|__proto__|constructor|null|none|nop|:@|localhost|::1|0x7f| -> |e5|v".split("|"),
];
