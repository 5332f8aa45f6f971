import { isIPv4, isIPv6 } from "node:net";

/** An address as its bits, written out: 32 or 128 zeros and ones. A mapped IPv4 address is the IPv4 address. */
export function bitsOf(text: string): string | undefined {
  if (isIPv4(text))
    return text
      .split(".")
      .map((part) => bits(Number(part), 8))
      .join("");
  if (!isIPv6(text) || text.includes("%")) return undefined;
  const all = groupsOf(text)
    .map((group) => bits(Number.parseInt(group, 16), 16))
    .join("");
  const mapped = "0".repeat(80) + "1".repeat(16);
  return all.startsWith(mapped) ? all.slice(96) : all;
}

/** The bits that all addresses of `address/length` begin with, and how many bits an address of theirs has. */
export function naiveNetwork(text: string): { readonly prefix: string; readonly width: number } | undefined {
  const parts = text.split("/");
  const [address, length] = parts;
  if (parts.length !== 2 || address === undefined || length === undefined) return undefined;
  const all = bitsOf(address);
  if (all === undefined || String(Number(length)) !== length || !/^[0-9]+$/.test(length)) return undefined;
  const inner = Number(length) - (all.length === 32 && address.includes(":") ? 96 : 0);
  return inner < 0 || inner > all.length ? undefined : { prefix: all.slice(0, inner), width: all.length };
}

export function isLoopbackBits(all: string): boolean {
  if (!all.includes("1")) return true;
  return all.length === 32 ? all.startsWith("01111111") : all === `${"0".repeat(127)}1`;
}

function bits(number: number, width: number): string {
  return number.toString(2).padStart(width, "0");
}

function groupsOf(text: string): readonly string[] {
  // Dotted decimal at the end is two groups.
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(text);
  const hex = (high: number, low: number): string => ((high << 8) | low).toString(16);
  const plain =
    dotted === null
      ? text
      : `${dotted[1]}${hex(Number(dotted[2]), Number(dotted[3]))}:${hex(Number(dotted[4]), Number(dotted[5]))}`;
  if (!plain.includes("::")) return plain.split(":");
  const [head = "", tail = ""] = plain.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === "" ? [] : tail.split(":");
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => "0"), ...after];
}
