import { createHash, createPrivateKey, createPublicKey, randomBytes, sign, type KeyObject } from "node:crypto";
import type { UnixSeconds } from "../../rules/window/window.ts";

/** OpenSSH's names for ECDSA over P-256. */
const algorithm = "ecdsa-sha2-nistp256";
const curve = "nistp256";

/** What a person's certificate lets them do, in the order that OpenSSH asks for. */
const extensions = ["permit-agent-forwarding", "permit-port-forwarding", "permit-pty", "permit-user-rc"];
const kinds = { user: 1, host: 2 } as const;

/** A public key: its type, and what OpenSSH writes after the type. */
export type SshKey = { readonly type: string; readonly fields: Buffer };

export type SshCertificate = {
  /** The authority's private key, in PEM. */
  readonly authority: string;
  readonly kind: keyof typeof kinds;
  /** The key to certify. */
  readonly key: SshKey;
  /** The text that sshd logs for the certificate. */
  readonly keyId: string;
  readonly principals: readonly string[];
  /** Undefined for a certificate without an end. */
  readonly valid: { readonly from: UnixSeconds; readonly until: UnixSeconds } | undefined;
};

/** A line for an authorized keys file. */
export function printSshKey(key: KeyObject, comment: string): string {
  return `${algorithm} ${keyBlob(key).toString("base64")} ${comment}`;
}

/** The fingerprint that `ssh-keygen -l` shows. Undefined if the line is not a cluster's key. */
export function fingerprintOfLine(line: string): string | undefined {
  const [, base64 = ""] = /^ecdsa-sha2-nistp256 ([A-Za-z0-9+/]{100,200}={0,2}) [\x21-\x7e]{1,300}$/.exec(line) ?? [];
  return base64 === ""
    ? undefined
    : `SHA256:${createHash("sha256").update(Buffer.from(base64, "base64")).digest("base64").replace(/=+$/, "")}`;
}

/** Reads the key in a line of a .pub file. Undefined if OpenSSH does not make this type for hosts. */
export function parseSshKey(line: string): SshKey | undefined {
  const [, type = "", base64 = ""] =
    /^(ssh-ed25519|ecdsa-sha2-nistp(?:256|384|521)|ssh-rsa) ([A-Za-z0-9+/]{50,3000}={0,2})(?: |$)/.exec(line) ?? [];
  const blob = Buffer.from(base64, "base64");
  const begin = text(type);
  return type !== "" && blob.subarray(0, begin.length).equals(begin) ? { type, fields: blob.subarray(begin.length) } : undefined;
}

export function sshKeyOf(key: KeyObject): SshKey {
  return { type: algorithm, fields: Buffer.concat([text(curve), text(pointOf(key))]) };
}

/** Writes a certificate in the form of OpenSSH's files: https://cvsweb.openbsd.org/src/usr.bin/ssh/PROTOCOL.certkeys. */
export function certifySsh({ authority, kind, key: { type, fields }, keyId, principals, valid }: SshCertificate): string {
  const certified = `${type}-cert-v01@openssh.com`;
  const body = Buffer.concat([
    text(certified),
    text(randomBytes(32)),
    fields,
    number64(randomBytes(8).readBigUInt64BE()),
    number32(kinds[kind]),
    text(keyId),
    text(Buffer.concat(principals.map(text))),
    number64(BigInt(valid?.from ?? 0)),
    number64(valid === undefined ? 2n ** 64n - 1n : BigInt(valid.until)),
    text(""),
    text(kind === "host" ? "" : Buffer.concat(extensions.flatMap((name) => [text(name), text("")]))),
    text(""),
    text(keyBlob(createPublicKey(authority))),
  ]);
  return `${certified} ${Buffer.concat([body, text(signatureOf(body, authority))]).toString("base64")} ${keyId}`;
}

function signatureOf(body: Buffer, authority: string): Buffer {
  const both = sign("sha256", body, { key: createPrivateKey(authority), dsaEncoding: "ieee-p1363" });
  const halves = [both.subarray(0, both.length / 2), both.subarray(both.length / 2)].map(integer);
  return Buffer.concat([text(algorithm), text(Buffer.concat(halves.map(text)))]);
}

function keyBlob(key: KeyObject): Buffer {
  return Buffer.concat([text(algorithm), sshKeyOf(key).fields]);
}

function pointOf(key: KeyObject): Buffer {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  return Buffer.concat([Buffer.from([4]), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
}

/** Writes a number without leading zeros, and never as a negative one. */
function integer(bytes: Buffer): Buffer {
  const begin = bytes.findIndex((byte) => byte !== 0);
  const bare = bytes.subarray(begin);
  return (bare[0] ?? 0) < 0x80 ? bare : Buffer.concat([Buffer.from([0]), bare]);
}

function text(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value as string);
  return Buffer.concat([number32(bytes.length), bytes]);
}

function number32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function number64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(value);
  return bytes;
}
