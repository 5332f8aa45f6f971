import { domainToASCII } from "node:url";
import { bitsOf, isLoopbackBits } from "./address.ts";

/** A domain name as DNS has it: ASCII, lower case, no dot of the root. */
export function naiveName(text: string): string | undefined {
  if (text.length === 0 || text.length > 1024) return undefined;
  for (const sign of text) if ("/?#@\\:%*[]<>^|".includes(sign) || /\s/.test(sign) || sign < " ") return undefined;
  const isPlain = /^[\x21-\x7e]+$/.test(text) && !/(?:^|\.)xn--/i.test(text);
  const ascii = isPlain ? text.toLowerCase() : domainToASCII(text);
  const labels = ascii.split(".");
  if (labels.at(-1) === "") labels.pop();
  const last = labels.at(-1);
  // A host that ends in a number is an address, or nothing.
  if (last === undefined || /^(?:[0-9]+|0x[0-9a-f]*)$/.test(last)) return undefined;
  const name = labels.join(".");
  if (name.length > 253) return undefined;
  for (const label of labels) if (label.length < 1 || label.length > 63 || /[^a-z0-9_-]/.test(label)) return undefined;
  return name;
}

export type NaiveHost = { readonly name: string } | { readonly bits: string };

export function naiveHost(text: string): NaiveHost | undefined {
  const bits = bitsOf(text);
  if (bits !== undefined) return { bits };
  const name = naiveName(text);
  return name === undefined ? undefined : { name };
}

export function isLoopbackHost(host: NaiveHost): boolean {
  if ("bits" in host) return isLoopbackBits(host.bits);
  return host.name.split(".").at(-1) === "localhost";
}

export function naivePort(text: string): number | undefined {
  const port = Number(text);
  return String(port) === text && Number.isInteger(port) && port >= 1 && port <= 65_535 ? port : undefined;
}
