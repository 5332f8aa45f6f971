import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:tls";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { tellFault } from "../../../src/rules/fault/tell-fault.ts";
import { identityPath } from "../../../src/cluster/presence/identity-file.ts";
import { joinCluster, type Joining } from "../../../src/cluster/presence/join-cluster.ts";
import { renewIdentity } from "../../../src/cluster/presence/renew.ts";
import { overMutualTls } from "../../../src/cluster/presence/mutual-tls.ts";
import type { Ways } from "../../../src/cluster/presence/mutual-tls.ts";
import { makeToken, removeInstance, startOverTls, type OverTls } from "../auth/over-tls.ts";
import { authorityOf } from "../identity/made.ts";
import { createAuthority } from "../../machine/network/fixture/authority.ts";
import { startProxy } from "../../machine/network/fixture/proxy.ts";
import { joinedTo, joiningTo, makeHost, type Host } from "./host.ts";
import { startImpostor, startPlain } from "./impostor.ts";
import { directWays } from "./ways.ts";

const golden = join(import.meta.dirname, "golden", "faults.txt");
const day = 86_400;

function timeless(text: string, { directory }: Host): string {
  return text
    .replaceAll(directory, "DIR")
    .replaceAll(/(?:127\.0\.0\.1|localhost|auth\.invalid):(?!(?:9|10)\b)\d+/g, "ADDRESS")
    .replaceAll(/sha256:[0-9a-f]{64}/g, "PIN")
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "ID")
    .replaceAll(/DNS:auth\.[0-9a-f-]+…/g, "DNS:auth.ID…")
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, "TIME")
    .replaceAll(/\d{4}-\d\d-\d\d/g, "DAY");
}

type Scene = (on: { readonly auth: OverTls; readonly host: Host }) => Promise<unknown>;

/** A join by a token that is good, with what is changed of it. */
async function joins(
  { auth, host }: Parameters<Scene>[0],
  changes: Partial<Joining> = {},
  ways: Ways = directWays,
): Promise<unknown> {
  return joinedTo(auth, { ...host, ports: { ...host.ports, ways } }, changes);
}

const at = (port: number) => ({ authServers: [{ host: "127.0.0.1", port }] });

const scenes: Readonly<Record<string, Scene>> = {
  "nobody listens": (on) => joins(on, at(9)),
  "nobody listens at either of two": (on) => joins(on, { authServers: [...at(9).authServers, ...at(10).authServers] }),
  "one is away, and another is somebody else": async (on) => {
    await using impostor = await startImpostor({ signer: await authorityOf(), cluster: on.auth.cluster, now: on.auth.clock.now });
    return await joins(on, { authServers: [...at(9).authServers, ...at(impostor.port).authServers] });
  },
  "no name server knows the name": (on) => {
    const lookup: Ways["lookup"] = (_name, _options, done) =>
      done(Object.assign(new Error("none"), { code: "ENOTFOUND", syscall: "getaddrinfo" }), "");
    return joins(on, { authServers: [{ host: "auth.invalid", port: 3025 }] }, { ...directWays, lookup });
  },
  "another pin": async (on) => joins(on, { pins: [(await authorityOf()).pin] }),
  "the authority has not signed": async (on) => {
    const { auth } = on;
    const signer = { ...(await authorityOf()), certificate: auth.authorities.signing.certificate };
    await using impostor = await startImpostor({ signer, cluster: auth.cluster, now: auth.clock.now });
    return await joins(on, at(impostor.port));
  },
  "a proxy of the cluster answers": async (on) => {
    const { authorities, cluster, clock } = on.auth;
    await using impostor = await startImpostor({ signer: authorities.signing, cluster, kind: "proxy", now: clock.now });
    return await joins(on, at(impostor.port));
  },
  "something in between ends TLS": async (on) => {
    const company = createAuthority("Company Inspection");
    const server = createServer(company.issue({ name: "auth", altName: "DNS:auth.example.com" }));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      return await joins(on, at((server.address() as { readonly port: number }).port));
    } finally {
      server.close();
      company.remove();
    }
  },
  "plain HTTP": async (on) => {
    await using plain = await startPlain("HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n");
    return await joins(on, at(plain.port));
  },
  "this host's clock is a week behind": (on) => {
    on.host.clock.ahead = -7 * day;
    return joins(on);
  },
  "the token was used up": async (on) => {
    const tokenFile = on.host.tokenFile(await makeToken(on.auth));
    using other = makeHost(on.auth);
    await joinCluster(joiningTo(on.auth, { tokenFile }), other.ports);
    return joinCluster(joiningTo(on.auth, { tokenFile }), on.host.ports);
  },
  "the token is for a node": async ({ auth, host }) => {
    const tokenFile = host.tokenFile(await makeToken(auth, { type: "node" }));
    return joinCluster(joiningTo(auth, { tokenFile }), host.ports);
  },
  "the token's file is empty": ({ auth, host }) => joinCluster(joiningTo(auth, { tokenFile: host.tokenFile("") }), host.ports),
  "the token's file is not there": ({ auth, host }) =>
    joinCluster(joiningTo(auth, { tokenFile: join(host.directory, "nothing") }), host.ports),
  "it has joined another cluster": async ({ auth, host }) => {
    await joinedTo(auth, host);
    await using other = await startOverTls();
    return await joinCluster(joiningTo(other), host.ports);
  },
  "its identity is damaged": async ({ auth, host }) => {
    await joinedTo(auth, host);
    writeFileSync(identityPath(host.place), "{}");
    return joinCluster(joiningTo(auth), host.ports);
  },
  "it was removed": async ({ auth, host }) => {
    const { identity } = await joinedTo(auth, host);
    await removeInstance(auth, identity.stored.instance);
    const transport = overMutualTls({
      addresses: [{ host: "127.0.0.1", port: auth.port }],
      known: { kind: "joined", cluster: auth.cluster, authorities: identity.trusted },
      shows: identity.stored,
      ways: directWays,
      now: () => auth.clock.now,
    });
    return renewIdentity(identity, { ...host.ports, transport });
  },
  "the proxy wants another password": async (on) => {
    const proxy = await startProxy({ names: {}, credentials: { user: "fleet", password: "right" } });
    try {
      const given = { ...proxy.proxy, credentials: { user: "fleet", password: "wrong" } };
      const routeOf: Ways["routeOf"] = () => ({ kind: "proxy", proxy: given, rule: "HTTPS_PROXY" });
      return await joins(on, { authServers: [{ host: "auth.invalid", port: 3025 }] }, { ...directWays, routeOf });
    } finally {
      await proxy.close();
    }
  },
};

/** UPDATE_GOLDEN=1 writes what is said; read the difference before it is committed. */
test("what is said where a host does not get into its cluster, or does not stay there", async () => {
  const told = Object.entries(scenes).map(async ([title, scene]) => {
    await using auth = await startOverTls();
    using host = makeHost(auth);
    const thrown: unknown = await scene({ auth, host }).then(
      () => expect.fail(`${title}: nothing was wrong`),
      (fault: unknown) => fault,
    );
    const { code, exit, message, hint } = tellFault(thrown, "svc");
    return `${title} [${code}, ${exit}]\n  ${timeless(message, host)}\n  -> ${timeless(hint, host)}\n\n`;
  });
  const said = (await Promise.all(told)).join("");
  if (process.env["UPDATE_GOLDEN"] !== undefined) {
    mkdirSync(dirname(golden), { recursive: true });
    writeFileSync(golden, said);
  }
  expect(said).toBe(readFileSync(golden, "utf8"));
});
