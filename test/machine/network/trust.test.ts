import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { ServerOptions } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { askChannel } from "../../../src/machine/network/ask-channel.ts";
import { readCaFile } from "../../../src/machine/network/ca-file.ts";
import { loadTrust } from "../../../src/machine/network/trust.ts";
import { underLease } from "../files/lease.ts";
import { createAuthority, type Authority } from "./fixture/authority.ts";
import { fakePorts, questionFor } from "./fixture/ports.ts";
import { serve, type Running } from "./fixture/server.ts";

let authority: Authority;
let stranger: Authority;
let expired: Authority;
let directory: string;
beforeAll(() => {
  authority = createAuthority("Private Authority");
  stranger = createAuthority("Stranger");
  expired = createAuthority("Old Authority", "expired");
  directory = mkdtempSync(join(tmpdir(), "svc-upgrade-trust-"));
});
afterAll(() => {
  for (const each of [authority, stranger, expired]) each.remove();
  rmSync(directory, { recursive: true });
});

const open: Running[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});
async function secureServer(tls: ServerOptions): Promise<Running> {
  const server = await serve(() => ({ status: 200, body: "v15.4.5" }), tls);
  open.push(server);
  return server;
}

function file(name: string, content: string | Buffer): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

const here = { name: "here", altName: "DNS:localhost,IP:127.0.0.1" } as const;

describe("a server is trusted", () => {
  it.each([
    ["by the system's store", (): object => ({ systemStores: [authority.file] }), undefined],
    ["by a store in the second place", (): object => ({ systemStores: ["/proc/nowhere/at/all.crt", authority.file] }), undefined],
    ["by a store behind an empty one", (): object => ({ systemStores: [file("empty.crt", ""), authority.file] }), undefined],
    ["by ca_file beside the store", (): object => ({ systemStores: [stranger.file] }), "own"],
    ["by ca_file alone", (): object => ({ systemStores: [] }), "own"],
  ])("%s", async (_title, changes, own) => {
    const server = await secureServer(authority.issue(here));
    const question = questionFor(`https://localhost:${server.port}`, { caFile: own === undefined ? undefined : authority.file });
    expect(await askChannel(question, fakePorts(changes()))).toMatchObject({ kind: "served" });
  });

  it("by the last certificate of a file with several", async () => {
    const server = await secureServer(authority.issue(here));
    const caFile = file("both.pem", `# ours\n${stranger.pem}\n# and the other\n${expired.pem}${authority.pem}`);
    expect(
      await askChannel(questionFor(`https://127.0.0.1:${server.port}`, { caFile }), fakePorts({ systemStores: [] })),
    ).toMatchObject({ kind: "served" });
  });

  it("when the version of TLS is 1.2", async () => {
    const server = await secureServer({ ...authority.issue(here), maxVersion: "TLSv1.2" });
    expect(
      await askChannel(questionFor(`https://localhost:${server.port}`), fakePorts({ systemStores: [authority.file] })),
    ).toMatchObject({ kind: "served" });
  });
});

describe("a server is not trusted", () => {
  const rows: readonly [string, () => ServerOptions, RegExp][] = [
    [
      "with an expired certificate",
      () => authority.issue({ ...here, validity: "expired" }),
      /a certificate has expired; it shows "CN=here" for DNS:localhost, IP Address:127\.0\.0\.1, issued by "CN=Private Authority", valid 2020-01-01 to 2021-01-01 \(CERT_HAS_EXPIRED; store: \/.*ca\.pem\)/,
    ],
    [
      "with a certificate of the future",
      () => authority.issue({ ...here, validity: "not-yet" }),
      /not valid yet; it shows "CN=here".*2098-01-01/,
    ],
    ["with a certificate of another authority", () => stranger.issue(here), /issued by "CN=Stranger"/],
    ["with a certificate signed by itself", () => selfSigned(), /signed by itself and not in the store; it shows "CN=Stranger"/],
    [
      "with a certificate for another host",
      () => authority.issue({ ...here, altName: "DNS:elsewhere.example" }),
      /for another host; it shows "CN=here" for DNS:elsewhere\.example/,
    ],
    [
      "with a certificate that has the right common name alone",
      () => authority.issue({ name: "localhost", altName: undefined }),
      /^localhost:\d+ is not trusted: the certificate has no subjectAltName that names a host, and a common name alone is not accepted; it shows "CN=localhost", issued by "CN=Private Authority", valid 2020-01-01 to 2099-01-01 \(ERR_TLS_CERT_WITHOUT_ALTNAME; store: /,
    ],
    [
      "with an old version of TLS",
      () => ({ ...authority.issue(here), minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" }),
      /no TLS of version 1\.2 or later/,
    ],
  ];
  it.each(rows)("%s", async (_title, tls, says) => {
    const server = await secureServer(tls());
    const answer = await askChannel(
      questionFor(`https://localhost:${server.port}`),
      fakePorts({ systemStores: [authority.file] }),
    );
    expect(answer).toMatchObject({ kind: "fault", fault: { code: "tls-untrusted", message: expect.stringMatching(says) } });
    expect(server.asked).toEqual([]);
  });

  function selfSigned(): ServerOptions {
    return { cert: stranger.pem, key: stranger.key };
  }

  it("that speaks plain http", async () => {
    const talkative = await serve(() => ({ status: 200, body: "v15.4.5" }));
    open.push(talkative);
    const answer = await askChannel(
      questionFor(`https://localhost:${talkative.port}`),
      fakePorts({ systemStores: [authority.file] }),
    );
    expect(answer).toMatchObject({ fault: { code: "tls-untrusted", message: expect.stringMatching(/does not speak TLS/) } });
  });

  it("although Node has been told to trust everybody", async () => {
    const server = await secureServer(stranger.issue(here));
    const script = `
      import { askChannel } from ${JSON.stringify(new URL("../../../src/machine/network/ask-channel.ts", import.meta.url).href)};
      const answer = await askChannel(
        { endpoint: "https://localhost:${server.port}", channel: "default", installed: Promise.resolve("15.4.5") },
        { routeOf: () => ({ kind: "direct", rule: "" }), monotonicMs: () => 0, random: () => 0, log: () => undefined, systemStores: [${JSON.stringify(authority.file)}] },
      );
      console.log(answer.fault?.code ?? answer.kind);
    `;
    const env = {
      NODE_TLS_REJECT_UNAUTHORIZED: "0",
      NODE_EXTRA_CA_CERTS: stranger.file,
      SSL_CERT_FILE: stranger.file,
      NODE_OPTIONS: "--use-openssl-ca",
    };
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], { env });
    expect(stdout).toBe("tls-untrusted\n");
  });
});

describe("the system's store", () => {
  it("is missing with the package to install", () => {
    expect(() => loadTrust(undefined, ["/proc/nowhere/a.crt", "/proc/nowhere/b.pem"])).toThrow(
      expect.objectContaining({
        code: "trust-store-missing",
        message: expect.stringMatching(/\/proc\/nowhere\/a\.crt, \/proc\/nowhere\/b\.pem/),
        hint: expect.stringMatching(/install ca-certificates`/),
      }),
    );
  });

  it("is named when it is broken, for Node says nothing of that", async () => {
    const server = await secureServer(authority.issue(here));
    const broken = file("broken.crt", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    const answer = await askChannel(questionFor(`https://localhost:${server.port}`), fakePorts({ systemStores: [broken] }));
    expect(answer).toMatchObject({ fault: { code: "tls-untrusted", message: expect.stringContaining(`store: ${broken}`) } });
  });

  it("is not looked for where nothing is encrypted", async () => {
    const server = await serve(() => ({ status: 200, body: "15.4.5" }));
    open.push(server);
    const answer = await askChannel(
      questionFor(`http://localhost:${server.port}`, { caFile: "/proc/nowhere" }),
      fakePorts({ systemStores: [] }),
    );
    expect(answer).toMatchObject({ kind: "served" });
  });
});

describe("ca_file is refused", () => {
  const rows: readonly [string, () => string, RegExp][] = [
    ["when it is missing", () => join(directory, "nothing.pem"), /does not exist/],
    ["when it is empty", () => file("void.pem", " \n"), /is empty/],
    ["when it is a directory", () => directory, /not a regular file/],
    ["when it is DER", () => file("ca.der", Buffer.from([0x30, 0x82, 0x01, 0x0a])), /holds no certificate in PEM form/],
    ["when it is the key", () => file("ca.key", authority.key), /holds a private key and no certificate/],
    ["when it is cut off", () => file("cut.pem", authority.pem.slice(0, 200)), /holds no certificate in PEM form/],
    [
      "when one certificate in it is broken",
      () => file("bad.pem", `${authority.pem}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`),
      /an invalid certificate in place 2/,
    ],
    ["when it is huge", () => file("huge.pem", Buffer.alloc(1024 * 1024 + 1, 0x20)), /larger than 1048576 bytes/],
    [
      "when all of it has expired",
      () => expired.file,
      /no certificate that is still valid: CN=Old Authority expired on 2021-01-01/,
    ],
  ];
  it.each(rows)("%s", (_title, path, says) => {
    const caFile = path();
    expect(() => readCaFile(caFile)).toThrow(
      expect.objectContaining({ code: "ca-file-unusable", message: expect.stringMatching(says) }),
    );
    expect(() => readCaFile(caFile)).toThrow(caFile);
  });

  it("when somebody has a lease on it, without waiting for that", async () => {
    const leased = file("leased.pem", authority.pem);
    await underLease(leased, () => expect(() => readCaFile(leased)).toThrow(/cannot be read \(EAGAIN\)/));
  });

  it.skipIf(process.getuid?.() !== 0)("when the asking user may not read it", async () => {
    const secret = file("secret.pem", authority.pem);
    chmodSync(directory, 0o755);
    chmodSync(secret, 0o600);
    const script = `
      import { readCaFile } from ${JSON.stringify(new URL("../../../src/machine/network/ca-file.ts", import.meta.url).href)};
      process.setuid(65534);
      try { readCaFile(${JSON.stringify(secret)}); } catch ({ code, message, hint }) { console.log(code, message, hint); }
    `;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], { env: {} });
    expect(stdout).toMatch(/^ca-file-unusable .*may not be read by the user that asks .*sudo install -m 0644 .*secret\.pem/);
  });
});
