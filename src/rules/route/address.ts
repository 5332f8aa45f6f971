/** An IP address as one number. An IPv4 address written as IPv6 (`::ffff:10.0.0.1`) is the IPv4 address. */
export type Address = { readonly family: 4 | 6; readonly number: bigint };

/** The addresses whose first `length` bits are those of `start`. */
export type AddressRange = { readonly family: 4 | 6; readonly start: bigint; readonly length: number };

/** Reads an address strictly: four decimal numbers, or RFC 4291 text without brackets and zone. Refuses the other spellings of `inet_aton`. */
export function parseAddress(text: string): Address | undefined {
  const four = parseFour(text);
  if (four !== undefined) return { family: 4, number: four };
  const six = parseSix(text);
  if (six === undefined) return undefined;
  return six >> 32n === mappedPrefix ? { family: 4, number: six & 0xffff_ffffn } : { family: 6, number: six };
}

/** Reads `address/length`. Ignores bits beyond the length: 10.1.2.3/8 means 10.0.0.0/8. */
export function parseNetwork(text: string): AddressRange | undefined {
  const slash = text.indexOf("/");
  const addressText = text.slice(0, Math.max(slash, 0));
  const lengthText = text.slice(slash + 1);
  const address = parseAddress(addressText);
  if (address === undefined || !/^(?:0|[1-9]\d{0,2})$/.test(lengthText)) return undefined;
  const isMapped = address.family === 4 && addressText.includes(":");
  const length = Number(lengthText) - (isMapped ? 96 : 0);
  if (length < 0 || length > widthOf(address.family)) return undefined;
  return { family: address.family, start: address.number, length };
}

export function networkHolds(network: AddressRange, address: Address): boolean {
  if (network.family !== address.family) return false;
  const rest = BigInt(widthOf(network.family) - network.length);
  return network.start >> rest === address.number >> rest;
}

/** Whether a connection to the address never leaves the host: 127/8, ::1, and the unspecified addresses, which lead there too. */
export function isLoopbackAddress(address: Address): boolean {
  if (address.number === 0n) return true;
  return address.family === 4 ? address.number >> 24n === 127n : address.number === 1n;
}

const mappedPrefix = 0xffffn;

function widthOf(family: 4 | 6): number {
  return family === 4 ? 32 : 128;
}

function parseFour(text: string): bigint | undefined {
  const parts = text.split(".");
  if (parts.length !== 4) return undefined;
  let number = 0n;
  for (const part of parts) {
    // Refuses a leading zero: some programs read such a number as octal, others as decimal.
    if (!/^(?:0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return undefined;
    number = (number << 8n) | BigInt(part);
  }
  return number;
}

function parseSix(text: string): bigint | undefined {
  const gap = text.indexOf("::");
  const head = gap < 0 ? groupsOf(text, "last") : groupsOf(text.slice(0, gap), "inner");
  const tail = gap < 0 ? [] : groupsOf(text.slice(gap + 2), "last");
  if (head === undefined || tail === undefined) return undefined;
  const missing = 8 - head.length - tail.length;
  // `::` stands for one group or more.
  if (gap < 0 ? missing !== 0 : missing < 1) return undefined;
  const groups = [...head, ...Array.from({ length: missing }, () => 0n), ...tail];
  return groups.reduce((number, group) => (number << 16n) | group, 0n);
}

/** Reads the 16-bit groups of one side of `::`. Dotted decimal may stand at the very end. */
function groupsOf(text: string, side: "inner" | "last"): readonly bigint[] | undefined {
  if (text === "") return [];
  const words = text.split(":");
  const groups: bigint[] = [];
  for (const [index, word] of words.entries()) {
    const dotted = side === "last" && index === words.length - 1 ? parseFour(word) : undefined;
    if (dotted !== undefined) groups.push(dotted >> 16n, dotted & 0xffffn);
    else if (/^[0-9a-fA-F]{1,4}$/.test(word)) groups.push(BigInt(`0x${word}`));
    else return undefined;
  }
  return groups;
}
