import { randomUUID } from "node:crypto";
import { readText } from "../files/read-file.ts";

const ofKernel = "/proc/sys/kernel/random/uuid";
/** A UUID has 36 characters and a newline. */
const longestBytes = 64;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A random UUID from the kernel. The runtime's own function loads all of its cryptography, which a pass does not need. */
export function freshId(place: string = ofKernel): string {
  const told = readText(place, { capBytes: longestBytes, links: "refuse" })?.trim() ?? "";
  return uuid.test(told) ? told : randomUUID();
}
