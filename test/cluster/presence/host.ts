import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tokenHandlers } from "../../../src/cluster/auth/tokens.ts";
import type { InstanceKind } from "../../../src/cluster/identity/names.ts";
import { pinOf } from "../../../src/cluster/identity/pin.ts";
import type { IdentityPlace } from "../../../src/cluster/presence/identity-file.ts";
import { joinCluster, type Joined, type Joining, type JoinPorts } from "../../../src/cluster/presence/join-cluster.ts";
import { readJoinToken } from "../../../src/cluster/presence/join-token.ts";
import type { OverTls } from "../auth/over-tls.ts";
import { directWays } from "./ways.ts";

const root = { kind: "root", host: "auth1" } as const;

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

type Uses = { readonly type?: InstanceKind; readonly uses?: number; readonly ttlSeconds?: number };

/** As `tctl tokens add` makes one. */
export async function makeToken(
  { context }: Pick<OverTls, "context">,
  { type = "proxy", uses = 1, ttlSeconds = 3600 }: Uses = {},
): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const digest = createHash("sha256").update(token).digest("hex");
  const asked = { digest, type, ttlSeconds: BigInt(ttlSeconds), uses, labels: {}, ephemeral: false };
  await tokenHandlers.createToken(context, root, asked as never);
  return token;
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
export async function joinedTo(auth: OverTls, host: Host): Promise<Joined> {
  const tokenFile = host.tokenFile(await makeToken(auth));
  return joinCluster(joiningTo(auth, { tokenFile }), host.ports);
}
