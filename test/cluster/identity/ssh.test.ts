import { execFileSync, spawnSync } from "node:child_process";
import { createPublicKey, verify } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeKeyPair } from "../../../src/cluster/identity/key.ts";
import { certifySsh, fingerprintOfLine, parseSshKey, printSshKey, sshKeyOf } from "../../../src/cluster/identity/ssh.ts";

const missing =
  spawnSync("ssh-keygen", ["-?"]).error === undefined ? undefined : "OpenSSH's ssh-keygen is missing: install openssh-client";
if (missing !== undefined) console.warn(`SKIPPED: certificates as OpenSSH reads them: ${missing}`);

const now = 1_800_000_000;

async function made(): Promise<{ readonly line: string; readonly authority: string; readonly certificate: string }> {
  const [authority, person] = await Promise.all([makeKeyPair(), makeKeyPair()]);
  const certificate = certifySsh({
    authority: authority.privateKey,
    kind: "user",
    key: sshKeyOf(createPublicKey(person.publicKey)),
    keyId: "alice@example.com",
    principals: ["root@0b9d7c1e-5f0a-4a7b-9a51-3f0e6a1c2d44"],
    valid: { from: now - 60, until: now + 300 },
  });
  return {
    line: printSshKey(createPublicKey(authority.publicKey), "svc-users@example.com"),
    authority: authority.publicKey,
    certificate,
  };
}

/** The parts of a blob, each with its length before it. */
function parts(blob: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at < blob.length;) {
    const length = blob.readUInt32BE(at);
    found.push(blob.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return found;
}

test("a certificate is signed over all that stands before the signature, whatever the numbers of the signature begin with", async () => {
  for (let count = 0; count < 64; count += 1) {
    const { certificate, authority } = await made();
    const blob = Buffer.from(certificate.split(" ")[1] ?? "", "base64");
    // The last part is the signature: find it by the length before it.
    const at = [...Array(140).keys()]
      .toReversed()
      .map((back) => blob.length - 4 - back)
      .find((begin) => blob.readUInt32BE(begin) === blob.length - begin - 4);
    const [algorithm, numbers] = parts(blob.subarray((at ?? 0) + 4));
    expect(algorithm?.toString()).toBe("ecdsa-sha2-nistp256");
    const halves = parts(numbers ?? Buffer.alloc(0)).map((half) => Buffer.concat([Buffer.alloc(32), half]).subarray(-32));
    const key = { key: authority, dsaEncoding: "ieee-p1363" } as const;
    expect(verify("sha256", blob.subarray(0, at), key, Buffer.concat(halves))).toBe(true);
  }
});

test("a line that is no key of ours has no fingerprint", async () => {
  const { line } = await made();
  expect(fingerprintOfLine(line)).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/);
  for (const wrong of ["", "ssh-rsa AAAA x", `${line}\nssh-rsa AAAA`, `restrict ${line}`])
    expect(fingerprintOfLine(wrong)).toBeUndefined();
});

test.skipIf(missing !== undefined)("OpenSSH reads the key and the certificate as they are meant", async () => {
  const directory = mkdtempSync(join(tmpdir(), "ssh-"));
  try {
    const { line, certificate } = await made();
    writeFileSync(join(directory, "ca.pub"), `${line}\n`);
    writeFileSync(join(directory, "key-cert.pub"), `${certificate}\n`);
    const keygen = (...words: string[]): string =>
      execFileSync("ssh-keygen", words, { cwd: directory, encoding: "utf8", env: { ...process.env, TZ: "UTC" } });
    expect(keygen("-lf", "ca.pub")).toBe(`256 ${fingerprintOfLine(line)} svc-users@example.com (ECDSA)\n`);
    const told = keygen("-Lf", "key-cert.pub");
    expect(told).toContain("ecdsa-sha2-nistp256-cert-v01@openssh.com user certificate");
    expect(told).toContain(`Signing CA: ECDSA ${fingerprintOfLine(line)}`);
    expect(told).toContain('Key ID: "alice@example.com"');
    expect(told).toContain("Valid: from 2027-01-15T07:59:00 to 2027-01-15T08:05:00");
    expect(told).toMatch(/Principals: \n +root@0b9d7c1e-5f0a-4a7b-9a51-3f0e6a1c2d44\n +Critical Options: \(none\)\n/);
    expect(told).toMatch(/permit-agent-forwarding\n +permit-port-forwarding\n +permit-pty\n +permit-user-rc\n/);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

test.skipIf(missing !== undefined)("OpenSSH reads a host's certificate for a key of each kind", async () => {
  const directory = mkdtempSync(join(tmpdir(), "ssh-"));
  try {
    const authority = await makeKeyPair();
    const keygen = (...words: string[]): string => execFileSync("ssh-keygen", words, { cwd: directory, encoding: "utf8" });
    for (const [type, bits] of [
      ["ed25519", "256"],
      ["ecdsa", "256"],
      ["ecdsa", "521"],
      ["rsa", "3072"],
    ] as const) {
      const name = `${type}-${bits}`;
      keygen("-q", "-t", type, "-b", bits, "-N", "", "-C", "root@a host", "-f", name);
      const line = readFileSync(join(directory, `${name}.pub`), "utf8").trim();
      const principals = ["0b9d7c1e-5f0a-4a7b-9a51-3f0e6a1c2d44", "web1.example.com"];
      const key = parseSshKey(line)!;
      const certificate = certifySsh({
        authority: authority.privateKey,
        kind: "host",
        key,
        keyId: "web1",
        principals,
        valid: undefined,
      });
      writeFileSync(join(directory, `${name}-cert.pub`), `${certificate}\n`);
      const told = keygen("-Lf", `${name}-cert.pub`);
      expect(told).toContain("-cert-v01@openssh.com host certificate");
      expect(told).toContain(keygen("-lf", `${name}.pub`).split(" ")[1]);
      expect(told).toContain("Valid: forever");
      expect(told).toMatch(
        /Principals: \n +0b9d7c1e-\S+\n +web1\.example\.com\n +Critical Options: \(none\)\n +Extensions: \(none\)/,
      );
    }
    const ours = printSshKey(createPublicKey(authority.publicKey), "x");
    expect(parseSshKey(ours)?.type).toBe("ecdsa-sha2-nistp256");
    for (const wrong of ["", "ssh-dss AAAA", ours.replace("nistp256", "nistp384"), `restrict ${ours}`, ours.slice(0, 50)])
      expect(parseSshKey(wrong)).toBeUndefined();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
