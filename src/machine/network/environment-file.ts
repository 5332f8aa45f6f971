import { readForeignFile } from "../files/foreign-file.ts";
import type { NotRead } from "../files/read-file.ts";
import { parseEnvironmentFile } from "../../rules/settings/environment-file.ts";

export type EnvironmentReading = { readonly kind: "read"; readonly variables: Readonly<Record<string, string>> } | NotRead;

const capBytes: number = 64 * 1024;

/** Reads the variables as a unit with that environment file has them. The file may be another user's, so the read never waits for that user. */
export function readEnvironmentFile(path: string): EnvironmentReading {
  const reading = readForeignFile(path, { capBytes, links: "trusted" });
  return reading.kind === "read" ? { kind: "read", variables: parseEnvironmentFile(reading.text) } : reading;
}
