import { chmodSync, statSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { inDirectory, type Owner } from "../../machine/files/directory.ts";
import { errnoOf } from "../../machine/files/errno.ts";
import { readFileCapped } from "../../machine/files/read-file.ts";
import { removeFile } from "../../machine/files/remove-file.ts";
import { writeFileAtomically } from "../../machine/files/write-file.ts";
import { parseInstanceId, type InstanceKind } from "../identity/names.ts";
import { decode } from "../../rules/shape/read.ts";
import { parsed, record, text, type Of, type Shape } from "../../rules/shape/shape.ts";
import { encode } from "../../rules/shape/write.ts";
import { checkIdentity, publicPin, storedIdentity, type Identity, type StoredIdentity } from "./identity.ts";

/** Where identities are stored: below the service's own directory. Only its user can read them. */
export type IdentityPlace = { readonly dataDirectory: string; readonly kind: InstanceKind };

/** More than an identity with all allowed authorities has. */
const longestBytes = 128 * 1024;
const longestPem = 4096;

/**
 * The key of a join. The host stores it before it sends it, and keeps it until auth's answer is on the disk: if the host joins again with the same
 * key, auth gives the same answer.
 */
const joiningKey = record({ token: text(64), privateKey: text(longestPem) }, { schema: 1 });
export type JoiningKey = Of<typeof joiningKey>;

/** The key of an unfinished renewal. */
const renewingKey = record(
  { instance: parsed(parseInstanceId, "the id of an instance"), privateKey: text(longestPem) },
  { schema: 1 },
);
export type RenewingKey = Of<typeof renewingKey>;

export function identityPath({ dataDirectory, kind }: IdentityPlace): string {
  return join(dataDirectory, "identity", `${kind}.json`);
}

/** Undefined if this host has not joined. */
export function readIdentity(place: IdentityPlace): Identity | undefined {
  const path = identityPath(place);
  const reading = readFileCapped(path, { capBytes: longestBytes, links: "refuse" });
  switch (reading.kind) {
    case "missing":
      return undefined;
    case "denied":
      throw new Fault("identity-unreadable", {
        message: `${quote(path, longestPath)} may not be read by this user`,
        hint: "run it as root, or as the user of the service",
      });
    case "refused":
      throw unreadable(path, reading.why);
    case "read": {
      const decoded = decode(reading.text, storedIdentity, "ignored");
      if (decoded.kind === "unreadable") throw unreadable(path, decoded.why);
      const checked = checkIdentity(decoded.value);
      if (checked.kind === "refused") throw unreadable(path, checked.why);
      if (decoded.value.kind !== place.kind) throw unreadable(path, `it is of the kind ${decoded.value.kind}`);
      return checked.identity;
    }
  }
}

const longestPath = 200;

function unreadable(path: string, why: string): Fault {
  return new Fault("identity-unreadable", {
    message: `this host's identity in ${quote(path, longestPath)} cannot be read: ${quote(why, longestPath)}`,
    hint: "`svc join --replace` with a token of `tctl tokens add` makes a new one; this one stays until then",
  });
}

export function writeIdentity(place: IdentityPlace, identity: StoredIdentity): void {
  write(place, `${place.kind}.json`, encode(storedIdentity, identity));
}

export function readJoiningKey(place: IdentityPlace): JoiningKey | undefined {
  return readKey(joiningPath(place), joiningKey);
}

export function writeJoiningKey(place: IdentityPlace, key: JoiningKey): void {
  write(place, `${place.kind}.joining.json`, encode(joiningKey, key));
}

export function forgetJoiningKey(place: IdentityPlace): void {
  removeFile(joiningPath(place), "/");
}

export function readRenewingKey(place: IdentityPlace): RenewingKey | undefined {
  return readKey(renewingPath(place), renewingKey);
}

export function writeRenewingKey(place: IdentityPlace, key: RenewingKey): void {
  write(place, `${place.kind}.renewing.json`, encode(renewingKey, key));
}

export function forgetRenewingKey(place: IdentityPlace): void {
  removeFile(renewingPath(place), "/");
}

function joiningPath(place: IdentityPlace): string {
  return join(place.dataDirectory, "identity", `${place.kind}.joining.json`);
}

function renewingPath(place: IdentityPlace): string {
  return join(place.dataDirectory, "identity", `${place.kind}.renewing.json`);
}

/**
 * Reads a key; undefined if it cannot be read. Such a key was never sent, because a key is stored completely before that, so another one can be made.
 */
function readKey<T extends { readonly privateKey: string }>(path: string, shape: Shape<T>): T | undefined {
  const reading = readFileCapped(path, { capBytes: longestBytes, links: "refuse" });
  if (reading.kind !== "read") return undefined;
  const decoded = decode(reading.text, shape, "ignored");
  return decoded.kind === "read" && publicPin(decoded.value.privateKey) !== undefined ? decoded.value : undefined;
}

/** Writes the whole file or nothing. The directory's owner gets the file, because root joins and the service runs as another user. */
function write({ dataDirectory }: IdentityPlace, name: string, contents: unknown): void {
  const owner = ownerOf(dataDirectory);
  const directory = join(dataDirectory, "identity");
  inDirectory(directory, { root: "/", missing: "make", owner }, ({ at }) => chmodSync(at, 0o700));
  writeFileAtomically(join(directory, name), `${JSON.stringify(contents, undefined, 2)}\n`, {
    root: "/",
    mode: 0o600,
    owner,
    fault: "file-failed",
  });
}

/** The owner of the directory. Undefined if the directory does not exist yet. */
function ownerOf(directory: string): Owner | undefined {
  try {
    const { uid, gid } = statSync(directory);
    return { uid, gid };
  } catch (thrown) {
    if (errnoOf(thrown) === "ENOENT") return undefined;
    throw thrown;
  }
}
