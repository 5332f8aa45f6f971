import { chmodSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { identityPath, readIdentity } from "../../../src/cluster/presence/identity-file.ts";
import { proxiesFor } from "../../../src/cluster/svc/routes-by-environment.ts";
import { testOverTls as test } from "../auth/fixtures.ts";
import { makeToken, removeInstance, type OverTls } from "../auth/over-tls.ts";
import { freePort, place, service, textOf, typed, type Ended, type Place } from "./process.ts";

async function configured(): Promise<Place> {
  const [web, look] = await Promise.all([freePort(), freePort()]);
  return place(`svc: {data_dir: DIR/data}
proxy_service: {public_addr: proxy.example.com, web_listen_addr: 127.0.0.1:${web}, diag_addr: 127.0.0.1:${look}}
`);
}

function tokenFile({ directory }: Place, token: string): string {
  const path = join(directory, "token");
  writeFileSync(path, `${token}\n`, { mode: 0o600 });
  return path;
}

type Typing = { readonly at: Place; readonly auth: OverTls; readonly token: string; readonly pin?: string };

function joins({ at, auth, token, pin = auth.authorities.signing.pin }: Typing, ...more: readonly string[]): Promise<Ended> {
  const where = `--auth-server=127.0.0.1:${auth.port}`;
  return typed("join", where, "--token", token, "--ca-pin", pin, "-c", at.config, ...more);
}

describe("svc join", () => {
  test("makes this host a proxy of the cluster, once, and says what to type next", async ({ running: auth }) => {
    using at = await configured();
    const token = tokenFile(at, await makeToken(auth));
    const first = await joins({ at, auth, token });
    expect([first.status, first.error]).toEqual([0, ""]);
    const identity = readIdentity({ dataDirectory: join(at.directory, "data"), kind: "proxy" })!;
    expect(first.out).toBe(`This host has joined the cluster example as the proxy ${identity.stored.instance}.
Its certificate is good until ${new Date(identity.peer.until * 1000).toISOString().replace(".000", "")}, and is renewed before that while svc runs.
Where svc runs, have it see that: \`sudo systemctl try-reload-or-restart svc\`
Where it does not yet: \`sudo systemctl enable --now svc\`
The token is of no more use here: \`rm ${token}\`
`);
    const again = await joins({ at, auth, token: "/nowhere" });
    expect(again).toEqual({
      status: 0,
      out: `This host has joined the cluster example as the proxy ${identity.stored.instance} already, and auth knows it. No token was used.\n`,
      error: "",
    });
    const json = await joins({ at, auth, token }, "--json");
    expect(JSON.parse(json.out)).toEqual({
      schema: 1,
      is_new: false,
      cluster: "example",
      cluster_id: auth.cluster,
      kind: "proxy",
      instance: identity.stored.instance,
      auth_servers: [`127.0.0.1:${auth.port}`],
      until: new Date(identity.peer.until * 1000).toISOString().replace(".000", ""),
    });
  });

  test("of a host that was removed says so, and joins with the new token", async ({ running: auth }) => {
    using at = await configured();
    const token = tokenFile(at, await makeToken(auth));
    await joins({ at, auth, token });
    const { instance } = readIdentity({ dataDirectory: join(at.directory, "data"), kind: "proxy" })!.stored;
    await removeInstance(auth, instance);
    const refused = await joins({ at, auth, token });
    expect([refused.status, refused.out]).toEqual([77, ""]);
    const again = await joins({ at, auth, token: tokenFile(at, await makeToken(auth)) }, "--json");
    expect(again.error).toContain(`auth refuses the proxy ${instance}, which this host was: it joins again`);
    expect(JSON.parse(again.out)).toMatchObject({ is_new: true, instance: expect.not.stringContaining(instance) });
  });

  test("warns of a token that others may read, and uses it", async ({ running: auth }) => {
    using at = await configured();
    const token = tokenFile(at, await makeToken(auth));
    chmodSync(token, 0o644);
    const { status, error } = await joins({ at, auth, token });
    expect(status).toBe(0);
    expect(error).toContain(`others may read the token in ${token}: \`chmod 600 ${token}\``);
  });

  test.each([
    [[], "--auth-server"],
    [["--auth-server", "a b", "--token", "x", "--ca-pin", "y"], '"a b" in --auth-server is no address'],
    [["--auth-server", "a", "--token", "x", "--ca-pin", "y"], '"y" in --ca-pin is no pin'],
    [["--auth-server", "a", "--token", "x", "--ca-pin", "y", "--kind", "auth"], "--kind"],
    [["--auth-server", "a", "--tokn", "x", "--ca-pin", "y"], "unknown option '--tokn'"],
  ])("typed as join %j is a usage fault", async (words, saying) => {
    const { status, out, error } = await typed("join", ...words);
    expect([status, out]).toEqual([64, ""]);
    expect(error).toContain(saying);
  });
});

describe("svc start", () => {
  test("sees at a reload that its proxy has joined, and keeps its certificate renewed", async ({ running: auth }) => {
    (auth.context as { times: object }).times = { ...auth.context.times, certificateSeconds: 4 };
    using at = await configured();
    await using svc = await service(at.config);
    const token = tokenFile(at, await makeToken(auth));
    const ticking = setInterval(() => (auth.clock.now = Math.floor(Date.now() / 1000)), 100);
    try {
      await joins({ at, auth, token });
      expect(svc.log()).not.toContain("of the cluster");
      svc.kill("SIGHUP");
      await svc.said("this host is a proxy of the cluster example");
      await svc.said(/the certificate of this proxy was renewed .*generation=3/);
    } finally {
      clearInterval(ticking);
    }
    const path = identityPath({ dataDirectory: join(at.directory, "data"), kind: "proxy" });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const key = /"privateKey": "(.*)"/.exec(textOf(path))?.[1]?.split("\\n")[1];
    expect(key).toMatch(/^[\w+/=]{20,}$/);
    expect(svc.log()).not.toContain(key);
    svc.kill("SIGTERM");
    expect(await svc.ended).toBe(0);
  });
});

test("a caller without proxy variables uses those of the unit", () => {
  using at = place("HTTPS_PROXY=http://proxy.example:3128\nSECRET=x\n");
  const own = { NO_PROXY: "*", SECRET: "x" };
  expect(proxiesFor(own, at.config)).toEqual({ NO_PROXY: "*" });
  expect(proxiesFor({}, at.config)).toEqual({ HTTPS_PROXY: "http://proxy.example:3128" });
  expect(proxiesFor({}, "/nowhere/at/all")).toEqual({});
});

describe("svc start with the section join", () => {
  test("joins once the token is there, says what is missing until then, and uses no token again", async ({ running: auth }) => {
    using at = place("");
    const token = join(at.directory, "later");
    const told = `auth_server: 127.0.0.1:${auth.port}, ca_pin: "${auth.authorities.signing.pin}", token_file: ${token}`;
    at.write(`svc: {data_dir: DIR/data, join: {${told}}}`);
    await using svc = await service(at.config);
    await svc.said(`this host could not join its cluster, and tries again: the token's file ${token} does not exist`);
    const secret = await makeToken(auth, { type: "node" });
    writeFileSync(token, `${secret}\n`, { mode: 0o600 });
    await svc.said(/this host is a node of the cluster example/);
    expect(svc.log()).not.toContain(secret);
    svc.kill("SIGTERM");
    expect(await svc.ended).toBe(0);

    const { stored } = readIdentity({ dataDirectory: join(at.directory, "data"), kind: "node" })!;
    rmSync(token);
    await using again = await service(at.config);
    await again.said(new RegExp(`this host is a node of the cluster example.*${stored.instance}`));
    expect(again.log()).not.toContain("could not join");
  });
});
