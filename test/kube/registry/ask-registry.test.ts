import { createHash, X509Certificate } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importPKCS8, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadTrust } from "../../../src/machine/network/trust.ts";
import { Registry, type Kept } from "../../../src/kube/registry/ask-registry.ts";
import { whyDenied, type Logins, type RegistryPorts } from "../../../src/kube/registry/conversation.ts";
import { routeFor } from "../../../src/rules/route/route.ts";
import { createAuthority, type Authority } from "../../machine/network/fixture/authority.ts";
import { closedPort } from "../../machine/network/fixture/closed-port.ts";
import { htpasswdIn, missingForRegistry, serveRegistry, type ServedRegistry } from "./served.ts";

const both = ["linux/amd64", "linux/arm64"];
const nobody: Logins = { logins: [], troubles: [] };
const indexType = "application/vnd.oci.image.index.v1+json";

function registryWith(changes: Partial<RegistryPorts>): Registry {
  return new Registry({
    routeOf: (url) => routeFor(url, {}),
    trust: () => loadTrust(undefined),
    plainHttp: "loopback",
    logins: () => Promise.resolve(nobody),
    ...changes,
  });
}

function loginsFor(at: string, password = "word"): () => Promise<Logins> {
  return () => Promise.resolve({ logins: [{ at, user: "user", password }], troubles: [] });
}

/** A server of loopback, over http unless a pair is given. */
async function served(listener: RequestListener, pair?: { readonly key: string; readonly cert: string }) {
  const server = pair === undefined ? createServer(listener) : createSecureServer(pair, listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

const missing = missingForRegistry();
if (missing !== undefined) console.warn(`SKIPPED: the tests on a real registry: ${missing}`);

describe.skipIf(missing !== undefined)("a real registry", () => {
  let registry: ServedRegistry;
  let authority: Authority;
  const folder = mkdtempSync(join(tmpdir(), "svc-registry-"));
  const digests = new Map<string, string>();

  beforeAll(async () => {
    authority = createAuthority("registry authority");
    registry = await serveRegistry(folder);
    for (const [tag, platforms, form] of [
      ["15.4.5", both, "index"],
      ["15.4.6", ["linux/amd64"], "index"],
      ["15.4.7", ["linux/amd64"], "image"],
    ] as const) {
      digests.set(tag, await registry.push(tag, platforms, form));
    }
  });
  afterAll(async () => {
    await registry[Symbol.asyncDispose]();
    authority.remove();
  });

  /** The same over TLS, with credentials. */
  async function guarded(auth: object): Promise<ServedRegistry> {
    const pair = authority.issue({ name: "registry", altName: "IP:127.0.0.1" });
    const [certificate, key] = [join(authority.directory, "registry.crt"), join(authority.directory, "registry.pem")];
    writeFileSync(certificate, pair.cert);
    writeFileSync(key, pair.key);
    return serveRegistry(folder, { tls: { certificate, key }, auth });
  }
  const trusting = (): Partial<RegistryPorts> => ({ plainHttp: "never", trust: () => loadTrust(authority.file) });

  test("has an image for its platforms, by its tag and by its digest", async () => {
    const asked = registryWith({});
    for (const [tag, platforms] of [
      ["15.4.5", both],
      ["15.4.6", ["linux/amd64"]],
      ["15.4.7", ["linux/amd64"]],
    ] as const) {
      const digest = digests.get(tag);
      const found = { kind: "there", digest, platforms };
      expect(await asked.look(`${registry.host}/svc:${tag}`)).toEqual(found);
      expect(await asked.look(`${registry.host}/svc:gone@${digest}`)).toEqual(found);
    }
  });

  test("does not have another tag, another digest, another repository", async () => {
    const asked = registryWith({});
    for (const image of ["svc:15.4.8", `svc:15.4.5@sha256:${"0".repeat(64)}`, "other:15.4.5"]) {
      expect(await asked.look(`${registry.host}/${image}`)).toEqual({ kind: "not-there" });
    }
  });

  test("is not asked without TLS, unless the settings say so", async () => {
    const { kind, ...told } = await registryWith({ plainHttp: "never" }).look(`${registry.host}/svc:15.4.5`);
    expect([kind, told]).toEqual(["unknown", { why: expect.stringContaining("it does not speak TLS") as string }]);
  });

  test("wants a name and a password over TLS, and is given those that are for it alone", async () => {
    const one = await guarded(htpasswdIn(folder));
    const image = `${one.host}/svc:15.4.5`;
    const looked = (logins: RegistryPorts["logins"]): Promise<Kept> => registryWith({ ...trusting(), logins }).look(image);
    const there = { kind: "there", digest: digests.get("15.4.5"), platforms: both };
    expect(await looked(loginsFor(one.host))).toEqual(there);
    const denied = `${one.host} answers with status 401`;
    expect(await looked(loginsFor("other.example"))).toEqual({ kind: "unknown", why: `${denied}, and no pull secret is for it` });
    const wrong = await looked(loginsFor(one.host, "hunter2"));
    expect(wrong).toEqual({ kind: "unknown", why: `${denied} to the pull secret's credentials` });
    const troubles = ["the pull secret x cannot be read: forbidden"];
    expect(await looked(() => Promise.resolve({ logins: [], troubles }))).toEqual({
      kind: "unknown",
      why: `${denied}, and no pull secret is for it; ${troubles[0]}`,
    });
    await one.stop();
    const gone = await looked(loginsFor(one.host));
    expect(gone).toEqual({ kind: "unknown", why: expect.stringContaining("the connection is refused") as string });
    expect(JSON.stringify([wrong, gone])).not.toMatch(/hunter2|word|dXNlc/);
  });

  test("wants a token, which it is given by the server of tokens that it names", async () => {
    const pair = authority.issue({ name: "tokens", altName: "IP:127.0.0.1" });
    const signer = authority.issue({ name: "signer", altName: undefined });
    const key = await importPKCS8(signer.key, "ES256");
    const asked: (string | undefined)[] = [];
    await using tokens = await served((request, response) => {
      const url = new URL(request.url ?? "", "https://x");
      asked.push(`${url.searchParams.get("service")} ${url.searchParams.get("scope")} ${request.headers.authorization}`);
      const isKnown = request.headers.authorization === `Basic ${Buffer.from("user:word").toString("base64")}`;
      if (request.headers.authorization !== undefined && !isKnown) {
        response.writeHead(401).end();
        return;
      }
      const access = isKnown ? [{ type: "repository", name: "svc", actions: ["pull"] }] : [];
      void new SignJWT({ access })
        .setProtectedHeader({ alg: "ES256", typ: "JWT", x5c: [new X509Certificate(signer.cert).raw.toString("base64")] })
        .setIssuer("issuer")
        .setSubject("user")
        .setAudience("registry")
        .setIssuedAt()
        .setNotBefore("-1m")
        .setExpirationTime("5m")
        .sign(key)
        .then((token) => response.end(JSON.stringify({ token })));
    }, pair);
    const realm = `https://${tokens.host}/token`;
    const auth = { token: { realm, service: "registry", issuer: "issuer", rootcertbundle: authority.file } };
    const one = await guarded(auth);
    const image = `${one.host}/svc:15.4.5`;
    const looked = (logins: RegistryPorts["logins"]): Promise<Kept> => registryWith({ ...trusting(), logins }).look(image);
    expect(await looked(loginsFor(one.host))).toEqual({ kind: "there", digest: digests.get("15.4.5"), platforms: both });
    // Once for all that is asked.
    expect(asked).toEqual([`registry repository:svc:pull Basic ${Buffer.from("user:word").toString("base64")}`]);
    expect(await looked(() => Promise.resolve(nobody))).toMatchObject({ kind: "unknown", why: expect.stringContaining("401") });
    expect(await looked(loginsFor(one.host, "wrong"))).toEqual({
      kind: "unknown",
      why: `${one.host} answers with status 401 to the pull secret's credentials`,
    });
    await one.stop();
  });
});

describe("a server that is no good registry", () => {
  const manifest = JSON.stringify({ manifests: [{ platform: { os: "linux", architecture: "amd64" } }] });
  const digestOf = (text: string): string => `sha256:${createHash("sha256").update(text).digest("hex")}`;
  const isHead = (method: string | undefined): boolean => method === "HEAD";

  /** What comes of an image of that server. */
  async function looked(listener: RequestListener, changes: Partial<RegistryPorts> = {}): Promise<Kept> {
    await using server = await served(listener);
    const kept = await registryWith(changes).look(`${server.host}/svc:1`);
    return JSON.parse(JSON.stringify(kept).replaceAll(server.host, "HOST")) as Kept;
  }

  test("sends what its digest does not name: that is told, and not used", async () => {
    const [named, sent] = [digestOf("another"), digestOf(manifest)];
    const kept = await looked((_, response) => {
      response.writeHead(200, { "content-type": indexType, "docker-content-digest": named }).end(manifest);
    });
    expect(kept).toEqual({ kind: "lies", why: `the registry's answer for ${named} has the digest ${sent}` });
  });

  test("names no digest: then it is that of what it sends", async () => {
    const kept = await looked((_, response) => response.writeHead(200, { "content-type": indexType }).end(manifest));
    expect(kept).toEqual({ kind: "there", digest: digestOf(manifest), platforms: ["linux/amd64"] });
  });

  test.each([
    [429, { "retry-after": "7" }, { kind: "busy", why: "HOST answers with status 429", retryAfterMs: 7000 }],
    [429, { "retry-after": "soon" }, { kind: "busy", why: "HOST answers with status 429" }],
    [503, {}, { kind: "busy", why: "HOST answers with status 503" }],
    [403, {}, { kind: "unknown", why: "HOST answers with status 403, and no pull secret is for it" }],
    [401, {}, { kind: "unknown", why: "HOST asks for a way to sign in that is not known here" }],
    [400, {}, { kind: "unknown", why: "HOST answers with status 400" }],
    [
      401,
      { "www-authenticate": 'Bearer realm="http://auth.example/token"' },
      { kind: "unknown", why: "HOST wants to be asked by way of a server of tokens that is not asked by https" },
    ],
    [
      302,
      { location: "http://elsewhere.example/" },
      { kind: "unknown", why: "HOST redirects too often, or to where it would be asked without TLS" },
    ],
    [
      302,
      { location: "/v2/again" },
      { kind: "unknown", why: "HOST redirects too often, or to where it would be asked without TLS" },
    ],
    [302, { location: "ftp://elsewhere.example/" }, { kind: "unknown", why: "HOST redirects to a place that is not followed" }],
  ])("answers with %d and %j", async (status, headers, kept) => {
    expect(await looked((_, response) => response.writeHead(status, headers).end())).toEqual(kept);
  });

  test.each([
    ["a page", "text/html", "<html>", "its manifest is of a type that is not known here"],
    ["an index that is none", indexType, "{}", "its index cannot be read: manifests is not a list"],
    ["an image without a configuration", "application/vnd.oci.image.manifest.v1+json", "{}", "its manifest cannot be read"],
  ])("sends %s", async (_, type, body, why) => {
    const kept = await looked((request, response) => {
      response
        .writeHead(200, { "content-type": type, "docker-content-digest": digestOf(body) })
        .end(isHead(request.method) ? "" : body);
    });
    expect(kept).toEqual({ kind: "unknown", why });
  });

  test("names a digest of another kind", async () => {
    const kept = await looked((_, response) => response.writeHead(200, { "docker-content-digest": "md5:00" }).end());
    expect(kept).toEqual({ kind: "unknown", why: "HOST names no digest of a kind that is known here" });
  });

  test("sends more than a manifest can be", async () => {
    const kept = await looked((request, response) => {
      response.writeHead(200, { "content-type": indexType, "docker-content-digest": digestOf(manifest) });
      response.end(isHead(request.method) ? "" : "x".repeat(5 * 1024 * 1024));
    });
    expect(kept).toMatchObject({
      kind: "unknown",
      why: expect.stringMatching(/^what the registry sends for sha256:\w+ is not whole$/),
    });
  });

  test("loses what it has named a moment ago", async () => {
    const kept = await looked((request, response) => {
      response.writeHead(isHead(request.method) ? 200 : 404, { "docker-content-digest": digestOf(manifest) }).end();
    });
    expect(kept).toEqual({ kind: "not-there" });
  });

  test("gives no token that could be one", async () => {
    const kept = await looked((request, response) => {
      if (request.url?.startsWith("/token") === true) response.end('{"token":"a\\nb"}');
      else response.writeHead(401, { "www-authenticate": `Bearer realm="http://${request.headers.host}/token"` }).end();
    });
    expect(kept).toEqual({ kind: "unknown", why: "HOST gives no token for HOST" });
  });

  test("falls silent", async () => {
    const kept = await looked(() => undefined, { wholeMs: 300 });
    expect(kept).toMatchObject({ kind: "unknown", why: expect.stringContaining("http://HOST/v2/svc/manifests/1") });
  });

  test("leads elsewhere, where no credentials are shown", async () => {
    const seen: (string | undefined)[] = [];
    await using store = await served((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(200, { "content-type": indexType }).end(manifest);
    });
    await using server = await served((request, response) => {
      if (request.headers.authorization === undefined) response.writeHead(401, { "www-authenticate": "Basic" }).end();
      else if (isHead(request.method)) response.writeHead(200, { "docker-content-digest": digestOf(manifest) }).end();
      else response.writeHead(307, { location: `http://${store.host}/blob?signature=secret` }).end();
    });
    const asked = registryWith({ logins: loginsFor(server.host) });
    expect(await asked.look(`${server.host}/svc:1`)).toMatchObject({ kind: "there" });
    expect(seen).toEqual([undefined]);
  });

  test("leads to where nobody answers: what is signed there is not told", async () => {
    const kept = await looked((request, response) => {
      if (isHead(request.method)) response.writeHead(200, { "docker-content-digest": digestOf(manifest) }).end();
      else response.writeHead(307, { location: `http://127.0.0.1:${closedPort}/blob?signature=secret` }).end();
    });
    expect(kept).toEqual({ kind: "unknown", why: `127.0.0.1:${closedPort}, to which HOST leads, gives no answer` });
  });
});

test.each([
  ["1.dkr.ecr.eu-west-1.amazonaws.com", "ECR"],
  ["corp.azurecr.io", "ACR"],
  ["eu.gcr.io", "GAR"],
  ["europe-docker.pkg.dev", "GAR"],
])("%s is one whose credentials nodes have", (registry, name) => {
  expect(whyDenied({ registry, status: 403, hasLogin: false, troubles: [] })).toBe(
    `${registry} answers with status 403, and no pull secret is for it, and those that nodes have for ${name} are not known here`,
  );
});

test("a proxy that is set wrongly is told", async () => {
  const asked = registryWith({ routeOf: (url) => routeFor(url, { HTTPS_PROXY: "http://127.0.0.1:3128" }) });
  const why = expect.stringContaining("HTTPS_PROXY is not a usable proxy") as string;
  expect(await asked.look("registry.example/svc:1")).toEqual({ kind: "unknown", why });
});

test.each(["svc", `svc@md5:${"0".repeat(32)}`])("%s is asked of nobody", async (image) => {
  expect(await registryWith({}).look(image)).toEqual({
    kind: "unknown",
    why: `${image} names no image that a registry could be asked for`,
  });
});
