import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, test } from "vitest";
import type { InstanceKind } from "../../../src/cluster/identity/names.ts";
import { pinOf } from "../../../src/cluster/identity/pin.ts";
import { readIdentity, type IdentityPlace } from "../../../src/cluster/presence/identity-file.ts";
import type { Identity } from "../../../src/cluster/presence/identity.ts";
import { joinCluster, type Joined, type Joining, type JoinPorts } from "../../../src/cluster/presence/join-cluster.ts";
import { readJoinToken } from "../../../src/cluster/presence/join-token.ts";
import { makeToken, startOverTls, type OverTls } from "../auth/over-tls.ts";
import { directWays } from "./ways.ts";

export type Host = Disposable & {
  readonly directory: string;
  readonly place: IdentityPlace;
  /** How far it is ahead of auth's, which boot it is, and how long that has lasted. */
  readonly clock: { ahead: number; bootId: string; sinceBootSeconds: number };
  readonly ports: JoinPorts;
  readonly tokenFile: (token: string) => string;
};

/** One that may join, with a directory of its own. */
export function makeHost(auth: Pick<OverTls, "clock">, kind: InstanceKind = "proxy"): Host {
  const directory = mkdtempSync(join(tmpdir(), "presence-"));
  const clock = { ahead: 0, bootId: "boot-1", sinceBootSeconds: 1000 };
  const place = { dataDirectory: join(directory, "data"), kind };
  return {
    directory,
    place,
    clock,
    ports: {
      place,
      about: { hostname: "proxy1", services: [kind], version: "15.4.5" },
      ways: directWays,
      clock: () => ({
        now: auth.clock.now + clock.ahead,
        bootId: clock.bootId,
        sinceBootSeconds: clock.sinceBootSeconds,
        isSynchronised: false,
      }),
      random: () => 0.5,
      wait: () => Promise.resolve(),
      stopping: new AbortController().signal,
    },
    tokenFile: (token) => {
      const path = join(directory, "token");
      writeFileSync(path, `${token}\n`, { mode: 0o600 });
      return path;
    },
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  };
}

export function joiningTo(auth: OverTls, changes: Partial<Joining> & { readonly tokenFile?: string } = {}): Joining {
  const { tokenFile, ...others } = changes;
  return {
    authServers: [{ host: "127.0.0.1", port: auth.port }],
    pins: [pinOf(auth.authorities.signing.certificate)],
    token: () => {
      if (tokenFile === undefined) throw new Error("no token was to be read");
      return readJoinToken(tokenFile);
    },
    existing: "keep",
    ...others,
  };
}

/** With a token of its own. */
export async function joinedTo(auth: OverTls, host: Host, changes: Partial<Joining> = {}): Promise<Joined> {
  const tokenFile = host.tokenFile(await makeToken(auth, { type: host.place.kind }));
  return joinCluster(joiningTo(auth, { tokenFile, ...changes }), host.ports);
}

/** What the disk holds of a host that has joined. */
export function identityOf({ place }: Host): Identity {
  return readIdentity(place)!;
}

/** Tests of which each has auth and a proxy for itself: `host` has not joined yet, `member` is the same one when it has. */
export const testHost = test
  .extend("kind", (): InstanceKind => "proxy")
  .extend("auth", async () => {
    const auth = await startOverTls();
    onTestFinished(() => auth[Symbol.asyncDispose]());
    return auth;
  })
  .extend("host", ({ auth, kind }) => {
    const host = makeHost(auth, kind);
    onTestFinished(() => host[Symbol.dispose]());
    return host;
  })
  .extend("member", async ({ auth, host }) => {
    await joinedTo(auth, host);
    return host;
  });

/** The same with a node. */
export const testNode = testHost.extend("kind", (): InstanceKind => "node");
