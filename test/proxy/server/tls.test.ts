import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { connect, getCiphers, type ConnectionOptions, type TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAuthority, type Pair } from "../../machine/network/fixture/authority.ts";
import { running, type Started } from "./running.ts";
import { secure } from "./secure.ts";

const authority = createAuthority("one");
afterAll(() => authority.remove());

/** The authority's keys are for ECDSA, and many ciphers are for RSA alone. */
function issueRsa(): Pair {
  const [key, cert] = ["rsa.key", "rsa.cert"].map((name) => join(authority.directory, name));
  const subject = ["-subj", "/CN=a.example", "-addext", "subjectAltName=DNS:a.example"];
  const files = ["-keyout", String(key), "-out", String(cert)];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "9", ...subject, ...files], {
    stdio: "pipe",
  });
  return { key: readFileSync(String(key), "utf8"), cert: readFileSync(String(cert), "utf8") };
}

const pairs = { ECDSA: authority.issue({ name: "a.example", altName: "DNS:a.example" }), RSA: issueRsa() };

async function handshake(at: Started, options: ConnectionOptions): Promise<TLSSocket> {
  const socket = connect({ port: at.port, host: "127.0.0.1", rejectUnauthorized: false, ...options });
  await once(socket, "secureConnect");
  return socket;
}

/** What of all that OpenSSL knows is agreed on with this version of TLS. */
async function agreed(at: Started, options: ConnectionOptions): Promise<readonly string[]> {
  const names: string[] = [];
  for (const ciphers of getCiphers()) {
    try {
      const socket = await handshake(at, { ...options, ciphers: `${ciphers.toUpperCase()}:@SECLEVEL=0` });
      names.push(socket.getCipher().name);
      socket.destroy();
    } catch {
      // No cipher in common, or one that this version does not have.
    }
  }
  return [...new Set(names)].toSorted();
}

describe.each(["ECDSA", "RSA"] as const)("with a certificate for %s", (kind) => {
  let server: Started;
  let renewed: Started;
  beforeAll(async () => {
    server = await running(await secure("{}", pairs[kind]));
    renewed = await running(await secure("{}", pairs[kind]));
    renewed.reload(await secure("{}", pairs[kind]));
  });
  afterAll(async () => {
    await Promise.all([server.stop(), renewed.stop()]);
  });

  const cases: readonly (readonly [who: string, at: () => Started, options: ConnectionOptions])[] = [
    ["whoever names no host", () => server, {}],
    ["whoever names its host", () => server, { servername: "a.example" }],
    ["whoever names no host after a reload", () => renewed, {}],
    ["whoever names its host after a reload", () => renewed, { servername: "a.example" }],
  ];

  test.each(cases)("%s agrees by TLS 1.2 on forward secrecy and AEAD alone", async (_who, at, options) => {
    expect(await agreed(at(), { ...options, maxVersion: "TLSv1.2" })).toEqual([
      `ECDHE-${kind}-AES128-GCM-SHA256`,
      `ECDHE-${kind}-AES256-GCM-SHA384`,
      `ECDHE-${kind}-CHACHA20-POLY1305`,
    ]);
    const socket = await handshake(at(), options);
    expect(socket.getProtocol()).toBe("TLSv1.3");
    socket.destroy();
  });

  test.each(cases)("%s cannot begin the handshake anew", async (_who, at, options) => {
    const socket = await handshake(at(), { ...options, maxVersion: "TLSv1.2" });
    const failure = await new Promise<Error | null>((resolve) => {
      socket.on("error", resolve);
      socket.renegotiate({ rejectUnauthorized: false }, resolve);
    });
    expect(failure?.message).toMatch(/no renegotiation/);
    socket.destroy();
  });
});

describe("with a certificate that has expired beside others", () => {
  const altName = "DNS:a.example";
  const expired = authority.issue({ name: "expired", altName: `${altName},DNS:old.example`, validity: "expired" });

  test.each([
    [undefined, "a.example"],
    ["a.example", "a.example"],
    ["nowhere.example", "a.example"],
    // Its client is told that it has expired, and not that it is another's.
    ["old.example", "expired"],
  ])("whoever asks for %s is shown that of %s", async (servername, shown) => {
    const server = await running(await secure("{}", expired, pairs.ECDSA));
    try {
      const socket = await handshake(server, servername === undefined ? {} : { servername });
      expect(socket.getPeerCertificate().subject.CN).toBe(shown);
      socket.destroy();
      const metrics = await (await fetch(`${server.lookUrl}/metrics`)).text();
      expect(metrics).toMatch(/^svc_proxy_certificate_expiry_timestamp_seconds\{file="[^"]+"\} 1609459200$/m);
    } finally {
      await server.stop();
    }
  });
});
