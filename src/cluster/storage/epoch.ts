import { readText } from "../../machine/files/read-file.ts";
import { writeFileAtomically } from "../../machine/files/write-file.ts";
import { placing } from "./sqlite/place.ts";

function epochPath(store: string): string {
  return `${store}.epoch`;
}

/** The last epoch that a restore began, from a file beside the store, because a damaged store cannot tell it. */
export function epochBeside(store: string): number {
  const text = readText(epochPath(store), { capBytes: 32, links: "refuse" }) ?? "";
  return /^\d{1,3}\n$/.test(text) ? Number(text) : 0;
}

export function rememberEpoch(store: string, epoch: number): void {
  placing(store, () => writeFileAtomically(epochPath(store), `${epoch}\n`, { root: "/", mode: 0o600, fault: "file-failed" }));
}
