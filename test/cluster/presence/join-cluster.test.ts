import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { describe, expect } from "vitest";
import type { ClockReading } from "../../../src/rules/decide/clock-verdict.ts";
import { everyItem } from "../../../src/cluster/auth/every-item.ts";
import { identityPath, readIdentity, readJoiningKey, writeJoiningKey } from "../../../src/cluster/presence/identity-file.ts";
import { joinCluster, type JoinPorts } from "../../../src/cluster/presence/join-cluster.ts";
import { readJoinToken, tokenDigest } from "../../../src/cluster/presence/join-token.ts";
import { isWhole } from "../../whole.ts";
import { scratchOfTest } from "../../machine/files/scratch.ts";
import { makeToken, removeInstance, startOverTls, type OverTls } from "../auth/over-tls.ts";
import { authorityOf } from "../identity/made.ts";
import { startImpostor } from "./impostor.ts";
import { startRelay } from "./relay.ts";
import { identityOf, joinedTo, joiningTo, makeHost, testHost as test, type Host } from "./host.ts";

async function proxiesOf({ store }: OverTls): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { name, body } of everyItem(store, "instance")) if (body["kind"] === "proxy") names.push(name);
  return names;
}

function files({ place }: Host): readonly string[] {
  const directory = join(place.dataDirectory, "identity");
  return existsSync(directory) ? readdirSync(directory).toSorted() : [];
}

describe("joining a cluster", () => {
  test("leaves one file that holds all, and that nobody else may read", async ({ auth, host }) => {
    const joined = await joinedTo(auth, host);
    expect(joined).toMatchObject({
      kind: "joined",
      identity: {
        stored: {
          cluster: { name: "example", id: auth.cluster },
          kind: "proxy",
          authServers: [`127.0.0.1:${auth.port}`],
          renewAfterSeconds: 15 * 86_400,
          received: { now: auth.clock.now, bootId: "boot-1", sinceBootSeconds: 1000 },
          generation: 1,
        },
      },
    });
    expect(files(host)).toEqual(["proxy.json"]);
    const directory = join(host.place.dataDirectory, "identity");
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(statSync(join(directory, "proxy.json")).mode & 0o777).toBe(0o600);
    expect(readIdentity(host.place)).toEqual(joined.identity);
    const token = readFileSync(join(host.directory, "token"), "utf8").trim();
    expect(readFileSync(join(directory, "proxy.json"), "utf8")).not.toContain(token);
  });

  test.for([
    ["node", "proxy"],
    ["proxy", "node"],
  ] as const)("by a token for a %s as a %s is refused, and the token is as good as before", async ([type, kind], { auth }) => {
    using host = makeHost(auth, kind);
    const tokenFile = host.tokenFile(await makeToken(auth, { type }));
    await expect(joinCluster(joiningTo(auth, { tokenFile }), host.ports)).rejects.toMatchObject({
      code: "join-refused",
      message: expect.stringContaining(`the token is for the kind ${type}, and this host joins as a ${kind}`),
      hint: expect.stringContaining(`\`tctl tokens add --type=${kind}\``),
    });
    expect(files(host)).toEqual([]);
    using fitting = makeHost(auth, type);
    expect(await joinCluster(joiningTo(auth, { tokenFile }), fitting.ports)).toMatchObject({ kind: "joined" });
  });

  test("by its configuration, where it has joined already, asks nobody for anything, and reads no token", async ({
    auth,
    member: host,
  }) => {
    const identity = identityOf(host);
    const before = readFileSync(identityPath(host.place), "utf8");
    const elsewhere = { ...host.ports, ways: { ...host.ports.ways, routeOf: () => expect.fail("somebody was asked") } };
    expect(await joinCluster(joiningTo(auth), elsewhere)).toEqual({ kind: "already", identity, addresses: "kept" });
    expect(readFileSync(identityPath(host.place), "utf8")).toBe(before);
  });

  test("where it has joined already asks auth whether it knows this host, and reads no token", async ({ auth, member: host }) => {
    const identity = identityOf(host);
    const asked = joiningTo(auth, { existing: "ask" });
    expect(await joinCluster(asked, host.ports)).toEqual({ kind: "already", identity, addresses: "kept" });
    const nowhere = { ...asked, authServers: [{ host: "127.0.0.1", port: 9 }] };
    await expect(joinCluster(nowhere, host.ports)).rejects.toMatchObject({ code: "auth-unreachable" });
    expect(readIdentity(host.place)).toEqual(identity);
  });

  test("where auth has removed it joins anew, and keeps what it has where that does not succeed", async ({
    auth,
    member: host,
  }) => {
    const identity = identityOf(host);
    await removeInstance(auth, identity.stored.instance);
    const usedUp = joiningTo(auth, { existing: "ask", tokenFile: join(host.directory, "token") });
    await expect(joinCluster(usedUp, host.ports)).rejects.toMatchObject({ code: "join-refused" });
    expect(readIdentity(host.place)).toEqual(identity);
    const again = await joinedTo(auth, host, { existing: "ask" });
    expect(again.kind).toBe("joined");
    expect(again.identity.stored.instance).not.toBe(identity.stored.instance);
    expect(await joinCluster(joiningTo(auth, { existing: "ask" }), host.ports)).toMatchObject({ kind: "already" });
    expect(files(host)).toEqual(["proxy.json"]);
  });

  test("where its certificate has expired it is renewed, and the host stays who it is", async ({ auth, member: host }) => {
    const identity = identityOf(host);
    auth.clock.now = identity.peer.until + 1;
    const { kind, identity: renewed } = await joinCluster(joiningTo(auth, { existing: "ask" }), host.ports);
    expect([kind, renewed.stored.instance]).toEqual(["already", identity.stored.instance]);
    expect(renewed.peer.until).toBeGreaterThan(auth.clock.now);
    expect(readIdentity(host.place)).toEqual(renewed);
  });

  test("where it has joined already takes another address of the same cluster, without a token", async ({
    auth,
    member: host,
  }) => {
    const identity = identityOf(host);
    const moved = [
      { host: "localhost", port: auth.port },
      { host: "127.0.0.1", port: auth.port },
    ];
    const joined = await joinCluster(joiningTo(auth, { authServers: moved }), host.ports);
    expect(joined).toMatchObject({ kind: "already", addresses: "changed" });
    const stored = { ...identity.stored, authServers: [`localhost:${auth.port}`, `127.0.0.1:${auth.port}`] };
    expect(readIdentity(host.place)?.stored).toEqual(stored);
  });

  test("where it has joined already keeps its addresses, if auth is not found at the other one", async ({
    auth,
    member: host,
  }) => {
    const identity = identityOf(host);
    const authServers = [{ host: "127.0.0.1", port: 9 }];
    await expect(joinCluster(joiningTo(auth, { authServers }), host.ports)).rejects.toMatchObject({ code: "auth-unreachable" });
    expect(readIdentity(host.place)).toEqual(identity);
  });

  test("of another cluster is refused, and with --replace leaves the one for the other", async ({ auth, member: host }) => {
    await using other = await startOverTls();
    const identity = identityOf(host);
    await expect(joinCluster(joiningTo(other), host.ports)).rejects.toMatchObject({
      code: "joined-elsewhere",
      message: expect.stringContaining(`joined the cluster example (${auth.cluster})`),
      hint: expect.stringContaining("`--replace`"),
    });
    expect(readIdentity(host.place)).toEqual(identity);
    const joined = await joinedTo(other, host, { existing: "replace" });
    expect(joined.identity.stored.cluster.id).toBe(other.cluster);
    expect(readIdentity(host.place)).toEqual(joined.identity);
  });

  test("of the same cluster with --replace is another instance with another key", async ({ auth, member: host }) => {
    const identity = identityOf(host);
    const again = await joinedTo(auth, host, { existing: "replace" });
    expect(again.identity.stored.instance).not.toBe(identity.stored.instance);
    expect(again.identity.peer.key).not.toBe(identity.peer.key);
  });

  test("replaces what cannot be read, and only where that is asked for", async ({ auth, member: host }) => {
    writeFileSync(identityPath(host.place), "{");
    await expect(joinCluster(joiningTo(auth), host.ports)).rejects.toMatchObject({
      code: "identity-unreadable",
      hint: expect.stringContaining("`svc join --replace`"),
    });
    expect(readFileSync(identityPath(host.place), "utf8")).toBe("{");
    const joined = await joinedTo(auth, host, { existing: "replace" });
    expect(readIdentity(host.place)).toEqual(joined.identity);
  });

  test("by one of two pins, as while the authority is rotated", async ({ auth, host }) => {
    const pins = [(await authorityOf()).pin, auth.authorities.signing.pin];
    expect(await joinedTo(auth, host, { pins })).toMatchObject({ kind: "joined" });
  });

  test.for([
    ["ahead", 86_400],
    ["behind", -86_400],
  ] as const)("works where the host's clock is a day %s", async ([_what, ahead], { auth, host }) => {
    host.clock.ahead = ahead;
    expect(await joinedTo(auth, host)).toMatchObject({ kind: "joined" });
  });

  test("asks again where auth is busy, no sooner than it says", async ({ auth, host }) => {
    const { cluster, authorities, clock } = auth;
    const body = JSON.stringify({ code: "unavailable", message: "too many" });
    const head = `retry-after: 7\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close`;
    const answer = `HTTP/1.1 503 Busy\r\n${head}\r\n\r\n${body}`;
    await using busy = await startImpostor({ signer: authorities.signing, cluster, now: clock.now, answer });
    await using relay = await startRelay(busy.port);
    const waits: number[] = [];
    const wait = async (seconds: number): Promise<void> => {
      if (waits.push(seconds) === 2) relay.leadsTo = auth.port;
    };
    const authServers = [{ host: "127.0.0.1", port: relay.port }];
    const joining = joiningTo(auth, { authServers, tokenFile: host.tokenFile(await makeToken(auth)) });
    expect(await joinCluster(joining, { ...host.ports, wait })).toMatchObject({ kind: "joined" });
    expect(waits).toEqual([8.5, 10]);
    relay.leadsTo = busy.port;
    const replacing = { ...joining, existing: "replace" } as const;
    waits.push(0);
    await expect(joinCluster(replacing, { ...host.ports, wait })).rejects.toMatchObject({ code: "auth-busy" });
    expect(waits.slice(3)).toEqual([8.5, 10, 13, 19, 30]);
  });

  test("tries several addresses in order, and tells of each why it was none", async ({ auth, host }) => {
    const dead = [
      { host: "127.0.0.1", port: 9 },
      { host: "127.0.0.1", port: 10 },
    ];
    const tokenFile = host.tokenFile(await makeToken(auth));
    await expect(joinCluster(joiningTo(auth, { authServers: dead, tokenFile }), host.ports)).rejects.toMatchObject({
      code: "auth-unreachable",
      message: expect.stringMatching(
        /none of 2 addresses leads to auth: .*127\.0\.0\.1:9 .*refused.*; .*127\.0\.0\.1:10 .*refused/,
      ),
    });
    const authServers = [...dead, { host: "127.0.0.1", port: auth.port }];
    expect(await joinCluster(joiningTo(auth, { authServers, tokenFile }), host.ports)).toMatchObject({ kind: "joined" });
  });
});

const isRoot = process.getuid?.() === 0;

/** Anybody but root. */
const somebody = 65_534;

test.skipIf(!isRoot)("what root joins belongs to the owner of the service's directory", async ({ auth, host }) => {
  mkdirSync(host.place.dataDirectory);
  chownSync(host.place.dataDirectory, somebody, somebody);
  await joinedTo(auth, host);
  const owners = [join(host.place.dataDirectory, "identity"), identityPath(host.place)].map((path) => statSync(path).uid);
  expect(owners).toEqual([somebody, somebody]);
});

test.for(isWhole ? [0, 1, 2, 4, 8, 16] : [0, 4])(
  "whoever is killed %i ms after it has a key is one instance in the end",
  async (delayMs, { auth, host }) => {
    const tokenFile = host.tokenFile(await makeToken(auth));
    const pin = auth.authorities.signing.pin;
    const asked = JSON.stringify({ port: auth.port, pin, tokenFile, dataDirectory: host.place.dataDirectory });
    const key = join(host.place.dataDirectory, "identity", "proxy.joining.json");
    const child = spawn(process.execPath, [join(import.meta.dirname, "join-child.ts"), asked], { stdio: "ignore" });
    const ended = once(child, "exit");
    try {
      await until(() => child.exitCode !== null || existsSync(key) || existsSync(identityPath(host.place)));
      expect(existsSync(key) || existsSync(identityPath(host.place))).toBe(true);
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    } finally {
      child.kill("SIGKILL");
      await ended;
    }
    const joined = await joinCluster(joiningTo(auth, { tokenFile }), host.ports);
    expect(await proxiesOf(auth)).toEqual([joined.identity.stored.instance]);
    expect(files(host).filter((name) => !name.endsWith(".tmp"))).toEqual(["proxy.json"]);
  },
);

async function until(is: () => boolean): Promise<void> {
  while (!is()) await new Promise((resolve) => setTimeout(resolve, 1));
}

/** Where the process ends at this instant, what is then on the disk is all that the next one knows. */
describe("a join that did not finish", () => {
  test("before auth was asked goes on with the same key", async ({ auth, host }) => {
    const tokenFile = host.tokenFile(await makeToken(auth));
    await expect(joinCluster(joiningTo(auth, { tokenFile }), endingAt(2, host))).rejects.toThrow("killed");
    expect(await proxiesOf(auth)).toEqual([]);
    expect(files(host)).toEqual(["proxy.joining.json"]);
    const key = readJoiningKey(host.place);
    const joined = await joinCluster(joiningTo(auth, { tokenFile }), host.ports);
    expect(joined.identity.stored.privateKey).toBe(key?.privateKey);
    expect(files(host)).toEqual(["proxy.json"]);
  });

  test.for(["keep", "replace"] as const)(
    "after auth has answered is the same instance, though the token is used up (%s)",
    async (existing, { auth, host }) => {
      const tokenFile = host.tokenFile(await makeToken(auth));
      await expect(joinCluster(joiningTo(auth, { tokenFile, existing }), endingAt(3, host))).rejects.toThrow("killed");
      expect(files(host)).toEqual(["proxy.joining.json"]);
      const [made] = await proxiesOf(auth);
      auth.clock.now += 3000;
      const joined = await joinCluster(joiningTo(auth, { tokenFile, existing }), host.ports);
      expect(joined.identity.stored.instance).toBe(made);
      expect(await proxiesOf(auth)).toHaveLength(1);
      expect(files(host)).toEqual(["proxy.json"]);
    },
  );

  test.for([
    ["keep", "goes on with the same key"],
    ["replace", "begins with another key"],
  ] as const)("and is repeated with another token (%s) %s", async ([existing], { auth, host }) => {
    const first = joiningTo(auth, { tokenFile: host.tokenFile(await makeToken(auth)), existing });
    await expect(joinCluster(first, endingAt(2, host))).rejects.toThrow("killed");
    const key = readJoiningKey(host.place);
    const { identity } = await joinedTo(auth, host, { existing });
    expect(identity.stored.privateKey === key?.privateKey).toBe(existing === "keep");
  });

  test("after the identity was written is done, and forgets the key that it began with", async ({ auth, member: host }) => {
    const identity = identityOf(host);
    writeJoiningKey(host.place, { token: "0".repeat(64), privateKey: identity.stored.privateKey });
    expect(await joinCluster(joiningTo(auth), host.ports)).toMatchObject({ kind: "already" });
    expect(files(host)).toEqual(["proxy.json"]);
  });

  test("of an instance that was removed meanwhile is refused once, and then begins with another key", async ({ auth, host }) => {
    const tokenFile = host.tokenFile(await makeToken(auth, { uses: 0 }));
    const { identity } = await joinCluster(joiningTo(auth, { tokenFile }), host.ports);
    const { token } = readJoinToken(tokenFile);
    writeJoiningKey(host.place, { token: tokenDigest({ token }), privateKey: identity.stored.privateKey });
    await removeInstance(auth, identity.stored.instance);
    const joining = joiningTo(auth, { tokenFile, existing: "replace" });
    await expect(joinCluster(joining, host.ports)).rejects.toMatchObject({ code: "join-refused" });
    expect(readJoiningKey(host.place)).toBeUndefined();
    expect(await joinCluster(joining, host.ports)).toMatchObject({ kind: "joined" });
  });
});

/** A join asks for the time when it meets auth, when it opens the connection that asks, and when the answer is there. */
function endingAt(time: 1 | 2 | 3, { ports }: Host): JoinPorts {
  let asked = 0;
  const clock = (): ClockReading => {
    asked += 1;
    if (asked === time) throw new RangeError("killed");
    return ports.clock();
  };
  return { ...ports, clock };
}

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (thrown) {
    return thrown;
  }
}

describe("the token's file", () => {
  const at = (text: string, mode = 0o600): string => {
    const path = join(scratchOfTest(), "token");
    writeFileSync(path, text, { mode });
    return path;
  };

  test.for([
    ["whatever ends it", 0o600, "its owner"],
    ["and whether others may read it is told", 0o644, "others"],
  ] as const)("is one line of one word, %s", ([_what, mode, readableBy]) => {
    expect(readJoinToken(at("secret\r\n", mode))).toEqual({ token: "secret", readableBy });
  });

  test.for([
    ["is empty", "\n", "token-unusable", "is empty"],
    ["holds two words", "one two", "token-unusable", "something other than one line with one word"],
    ["holds a page", "a".repeat(5000), "file-failed", "larger than 4096 bytes"],
  ] as const)("that %s is refused, and not told", ([_what, text, code, saying]) => {
    const fault = thrownBy(() => readJoinToken(at(text)));
    expect(fault).toMatchObject({ code, message: expect.stringContaining(saying) });
    if (text.trim() !== "") expect(inspect(fault)).not.toContain(text.trim().slice(0, 20));
  });

  test.for([
    ["in hexadecimal", "hex"],
    ["in base64url", "base64url"],
  ] as const)("is asked for where the token itself is typed, %s, and nothing of it is shown", ([_what, encoding]) => {
    const secret = randomBytes(32).toString(encoding);
    const fault = thrownBy(() => readJoinToken(secret));
    expect(fault).toMatchObject({ code: "token-unusable", message: expect.stringContaining("--token takes a file") });
    expect(inspect(fault)).not.toContain(secret.slice(0, 8));
  });

  test("is asked for where its file has no name", () => {
    expect(thrownBy(() => readJoinToken(""))).toMatchObject({
      code: "usage",
      message: expect.stringContaining("--token is empty"),
    });
  });
});
