import { parseAddress as readAddress } from "../../rules/route/address.ts";

/** Writes the address that a proxy names in its one usual form. */
export function parseAddress(text: string): string | undefined {
  const read = readAddress(text);
  if (read === undefined) return undefined;
  const { family, number } = read;
  if (family === 4) return partsOf(number, { bits: 8, count: 4 }).join(".");
  return partsOf(number, { bits: 16, count: 8 })
    .map((group) => group.toString(16))
    .join(":");
}

/** The network of an address. A client with one IPv6 address has the 2⁶⁴ around it. */
export function networkOf(address: string): string {
  return address.includes(":") ? `${address.split(":").slice(0, 4).join(":")}::/64` : address;
}

function partsOf(number: bigint, { bits, count }: { readonly bits: number; readonly count: number }): readonly bigint[] {
  return Array.from({ length: count }, (_part, index) => BigInt.asUintN(bits, number >> BigInt(bits * (count - 1 - index))));
}
