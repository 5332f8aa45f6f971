import { dirname, join } from "node:path";
import { readFileCapped } from "../../machine/files/read-file.ts";
import { shellWord } from "../../rules/text/shell-word.ts";
import { Fault } from "../../rules/fault/fault.ts";
import type { StorageConfiguration } from "../services/storage-section.ts";
import type { Store } from "./port.ts";
import { sealedBy } from "./sealing.ts";
import { prepareDirectory } from "./sqlite/place.ts";

type Opening = {
  readonly application: "svc" | "tctl";
  readonly release: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

/** Opens the configured store on PostgreSQL. Removals are kept in a file beside `path`, as for a store in a file. */
export async function openConfigured(
  path: string,
  configuration: StorageConfiguration,
  { application, release, environment }: Opening,
): Promise<Store> {
  prepareDirectory(path);
  // Loads this only when needed: auth on SQLite saves the memory.
  const { openPostgresStore } = await import("./postgresql.ts");
  const { host, port, user, database, tls } = configuration;
  const { password = environment["PGPASSWORD"], ca } = readStorageFiles(configuration);
  const store = await openPostgresStore({ host, port, user, database, password, tls: tls && { ca }, application, release });
  try {
    return await sealedBy(sealingKeyPath(path), store);
  } catch (thrown) {
    await store.close();
    throw thrown;
  }
}

type StorageFiles = { readonly password: string | undefined; readonly ca: string | undefined };

/** Reads the files that the configuration names, and refuses unusable ones. */
export function readStorageFiles({ passwordFile, tls }: StorageConfiguration): StorageFiles {
  const password = passwordFile === undefined ? undefined : secretIn(passwordFile);
  return { password, ca: tls?.caFile === undefined ? undefined : certificatesIn(tls.caFile) };
}

/** The path of the sealing key, which stays on the auth host: a reader of the database can sign nothing. */
function sealingKeyPath(path: string): string {
  return join(dirname(path), "sealing.key");
}

const longestFileBytes = 256 * 1024;

function secretIn(path: string): string {
  const { text, mode } = read(path);
  const secret = text.trim();
  if (secret === "" || /\s/.test(secret)) throw unusable(path, "holds no single word");
  if ((mode & 0o077) !== 0) {
    throw new Fault("configuration-invalid", {
      message: `others may read the password in ${path}`,
      hint: `\`sudo chmod 0600 ${shellWord(path)}\`, and change the password`,
    });
  }
  return secret;
}

function certificatesIn(path: string): string {
  const { text } = read(path);
  // Refuses a file without certificates, which Node would take for an empty list.
  if (!text.includes("-----BEGIN CERTIFICATE-----")) throw unusable(path, "holds no certificate in PEM form");
  return text;
}

function read(path: string): { readonly text: string; readonly mode: number } {
  const reading = readFileCapped(path, { capBytes: longestFileBytes, links: "follow" });
  if (reading.kind === "read") return reading;
  const why = reading.kind === "missing" ? "does not exist" : reading.kind === "denied" ? "may not be read by svc" : reading.why;
  throw unusable(path, why);
}

function unusable(path: string, why: string): Fault {
  return new Fault("configuration-invalid", {
    message: `the file ${path} of auth_service.storage ${why}`,
    hint: `look at it: \`ls -l ${shellWord(path)}\``,
  });
}
