import { createHash, createPrivateKey, createPublicKey, randomBytes, sign, type KeyObject } from "node:crypto";
import type { UnixSeconds } from "../../rules/window/window.ts";

/** OpenSSH's names for ECDSA over P-256. */
const algorithm = "ecdsa-sha2-nistp256";
const certified = `${algorithm}-cert-v01@openssh.com`;
const curve = "nistp256";

/** What a certificate of a person lets them do, in the order that OpenSSH asks for. */
const extensions = ["permit-agent-forwarding", "permit-port-forwarding", "permit-pty", "permit-user-rc"];
const forUsers = 1;

export type SshCertificate = {
  /** In PEM, of the authority for users. */
  readonly authority: string;
  /** The key that is certified. */
  readonly publicKey: KeyObject;
  /** Stands in sshd's log. */
  readonly keyId: string;
  readonly principal: string;
  readonly from: UnixSeconds;
  readonly until: UnixSeconds;
};

/** A line for an authorized keys file. */
export function printSshKey(key: KeyObject, comment: string): string {
  return `${algorithm} ${keyBlob(key).toString("base64")} ${comment}`;
}

/** The fingerprint that `ssh-keygen -l` shows; undefined if the line is no key of a cluster. */
export function fingerprintOfLine(line: string): string | undefined {
  const [, base64 = ""] = /^ecdsa-sha2-nistp256 ([A-Za-z0-9+/]{100,200}={0,2}) [\x21-\x7e]{1,300}$/.exec(line) ?? [];
  return base64 === ""
    ? undefined
    : `SHA256:${createHash("sha256").update(Buffer.from(base64, "base64")).digest("base64").replace(/=+$/, "")}`;
}

/** A certificate of OpenSSH's, as its file holds it: https://cvsweb.openbsd.org/src/usr.bin/ssh/PROTOCOL.certkeys. */
export function certifySsh({ authority, publicKey, keyId, principal, from, until }: SshCertificate): string {
  const body = Buffer.concat([
    text(certified),
    text(randomBytes(32)),
    text(curve),
    text(pointOf(publicKey)),
    number64(randomBytes(8).readBigUInt64BE()),
    number32(forUsers),
    text(keyId),
    text(text(principal)),
    number64(BigInt(from)),
    number64(BigInt(until)),
    text(""),
    text(Buffer.concat(extensions.flatMap((name) => [text(name), text("")]))),
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
  return Buffer.concat([text(algorithm), text(curve), text(pointOf(key))]);
}

function pointOf(key: KeyObject): Buffer {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  return Buffer.concat([Buffer.from([4]), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
}

/** Without zeros before it, and never negative. */
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
