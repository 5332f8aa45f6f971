import { Fault } from "../../rules/fault/fault.ts";
import { readFileCapped } from "../../machine/files/read-file.ts";
import { toolEnvironment } from "../unit/environment.ts";
import type { EnrollScope } from "./scope.ts";

export type NamedAccount = { readonly name: string; readonly uid: number };

/** Finds a user by name or number: on this machine in every source it knows, below another root only in that root's file. */
export async function lookUpAccount(
  asked: string,
  { paths, run }: Pick<EnrollScope, "paths" | "run">,
): Promise<NamedAccount | undefined> {
  if (!/^[^-:\s][^:\n]{0,255}$/.test(asked)) return undefined;
  if (paths.root !== "/") return readAccounts(`${paths.root}/etc/passwd`).find((account) => isMeant(account, asked));
  const result = await run({ argv: ["getent", "passwd", "--", asked], env: toolEnvironment, timeoutMs });
  if (result.kind === "exited" && result.status === 0) return parseAccount(result.stdout.trimEnd());
  if (result.kind === "exited" && result.status === statusNotFound) return undefined;
  throw new Fault("os-failed", {
    message: `the user ${asked} could not be looked up: getent ${result.kind === "exited" ? `ended with ${result.status}` : "did not answer"}`,
    hint: `see what it says: \`getent passwd ${asked}\``,
  });
}

/** A directory service on the network may be slow. */
const timeoutMs = 20_000;
const statusNotFound = 2;
const capBytes: number = 1024 * 1024;

function readAccounts(path: string): readonly NamedAccount[] {
  const reading = readFileCapped(path, { capBytes, links: "refuse" });
  if (reading.kind !== "read") return [];
  return reading.text.split("\n").flatMap((line) => parseAccount(line) ?? []);
}

/** Reads a line of passwd: name, password, user id, and more. */
function parseAccount(line: string): NamedAccount | undefined {
  const [name = "", , id = ""] = line.split(":");
  return name !== "" && /^\d{1,10}$/.test(id) ? { name, uid: Number(id) } : undefined;
}

function isMeant({ name, uid }: NamedAccount, asked: string): boolean {
  return name === asked || (/^\d+$/.test(asked) && uid === Number(asked));
}
