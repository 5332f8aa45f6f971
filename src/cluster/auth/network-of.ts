import { isIP } from "node:net";

/** An address that a proxy tells, in one way of writing it. Undefined: it is none. */
export function parseAddress(text: string): string | undefined {
  // A zone is of the proxy's own, and means nothing here.
  if (text.includes("%")) return undefined;
  switch (isIP(text)) {
    case 4:
      return text;
    case 6:
      return printed(groupsOf(text));
    default:
      return undefined;
  }
}

/** Whoever has one address of IPv6 has the 2⁶⁴ around it. */
export function networkOf(address: string): string {
  return address.includes(":") ? `${groupsOf(address).slice(0, 4).join(":")}::/64` : address;
}

/** Eight of them, in hexadecimal without zeros before; an address of IPv4 in them is two. */
function groupsOf(address: string): readonly string[] {
  const [first = "", last] = address.split("::");
  const before = split(first);
  const after = split(last ?? "");
  const zeros = Array.from({ length: last === undefined ? 0 : 8 - before.length - after.length }, () => "0");
  return [...before, ...zeros, ...after];
}

function split(part: string): readonly string[] {
  if (part === "") return [];
  return part.split(":").flatMap((group) => {
    if (!group.includes(".")) return [Number.parseInt(group, 16).toString(16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split(".").map(Number);
    return [((a << 8) | b).toString(16), ((c << 8) | d).toString(16)];
  });
}

/** One of IPv4 that was dressed up is one of IPv4. */
function printed(groups: readonly string[]): string {
  const [high = "0", low = "0"] = groups.slice(6);
  const isMapped = groups.slice(0, 5).every((group) => group === "0") && groups[5] === "ffff";
  if (!isMapped) return groups.join(":");
  const bytes = [high, low].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
  return bytes.join(".");
}
