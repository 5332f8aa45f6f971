import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { acceptIdentity } from "../../../src/cluster/presence/accept-identity.ts";
import { identityPath, readIdentity, writeIdentity, type IdentityPlace } from "../../../src/cluster/presence/identity-file.ts";
import type { StoredIdentity } from "../../../src/cluster/presence/identity.ts";
import { authorityOf, cluster, instance, leafOf, now, otherCluster, type Leaf } from "../identity/made.ts";

let folder: string;
let place: IdentityPlace;
let whole: StoredIdentity;
let other: StoredIdentity;
let node: StoredIdentity;
let elsewhere: StoredIdentity;

const received = { now, bootId: "boot", sinceBootSeconds: 10 };

function storedOf({ certificate, pair }: Leaf, changes: Partial<StoredIdentity>): StoredIdentity {
  return {
    cluster: { name: "example", id: cluster },
    kind: "proxy",
    instance,
    authServers: ["auth.example.com:3025"],
    certificate,
    privateKey: pair.privateKey,
    authorities: "",
    received,
    renewAfterSeconds: 1000,
    generation: 1,
    ...changes,
  };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "identity-file-"));
  place = { dataDirectory: join(folder, "data"), kind: "proxy" };
  const [one, two] = await Promise.all([authorityOf(), authorityOf()]);
  whole = storedOf(await leafOf(one, "proxy"), { authorities: one.certificate });
  other = storedOf(await leafOf(two, "proxy"), { authorities: two.certificate });
  node = storedOf(await leafOf(one, "node"), { authorities: one.certificate, kind: "node" });
  elsewhere = storedOf(await leafOf(one, "proxy", otherCluster), { authorities: one.certificate });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  rmSync(place.dataDirectory, { recursive: true, force: true });
  mkdirSync(dirname(identityPath(place)), { recursive: true });
});

const put = (value: unknown): void => writeFileSync(identityPath(place), JSON.stringify(value));
const written = (): Record<string, unknown> => {
  writeIdentity(place, whole);
  return JSON.parse(readFileSync(identityPath(place), "utf8")) as Record<string, unknown>;
};

describe("an identity on the disk", () => {
  test("is none where there is no file", () => {
    expect(readIdentity(place)).toBeUndefined();
  });

  test("is read as it was written, with what a later release put beside it", () => {
    const text = written();
    expect(readIdentity(place)?.stored).toEqual(whole);
    put({ ...text, later: { much: 1 }, cluster: { ...(text["cluster"] as object), region: "eu" } });
    expect(readIdentity(place)?.stored).toEqual(whole);
  });

  test.each([
    ["another number", () => ({ schema: 2 }), "schema is not 1"],
    ["no number", () => ({ schema: undefined }), "schema is not 1"],
    ["no key", () => ({ privateKey: undefined }), "privateKey is not a text"],
    ["another's key", () => ({ privateKey: other.privateKey }), "its key is not the one of its certificate"],
    ["a public key", () => ({ privateKey: whole.certificate }), "its key is not the one of its certificate"],
    ["another's certificate", () => ({ certificate: other.certificate }), "not signed by any of its authorities"],
    ["other authorities", () => ({ authorities: other.authorities }), "not signed by any of its authorities"],
    ["no authority", () => ({ authorities: "" }), "its authorities are no certificates"],
    ["words between its authorities", () => ({ authorities: `${whole.authorities}x\n${other.authorities}` }), "no certificates"],
    ["a damaged certificate", () => ({ certificate: whole.certificate.replace("MII", "MIJ") }), "its certificate cannot be read"],
    ["another cluster's id", () => ({ cluster: { name: "example", id: otherCluster } }), "one of another cluster"],
    ["another cluster's certificate", () => elsewhere, "one of another cluster"],
    ["another kind", () => ({ kind: "node" }), "another instance's"],
    ["the whole of another kind", () => node, "it is of the kind node"],
    ["another instance", () => ({ instance: "7c9e6679-7425-40de-944b-e07fc1f90ae8" }), "another instance's"],
    ["no address", () => ({ authServers: [] }), "it names no auth service"],
    ["an address without a port", () => ({ authServers: ["auth.example.com"] }), "authServers[0] is not HOST:PORT"],
    ["nine addresses", () => ({ authServers: Array.from({ length: 9 }, () => "a:1") }), "authServers is not a list of at most 8"],
    [
      "a time that is none",
      () => ({ renewAfterSeconds: -1 }),
      "renewAfterSeconds is not a whole number from 0 to 9007199254740991",
    ],
  ])("with %s cannot be read, and it is said why", (_what, changes, why) => {
    put({ ...written(), ...changes() });
    expect(() => readIdentity(place)).toThrow(
      expect.objectContaining({
        code: "identity-unreadable",
        message: expect.stringContaining(why),
        hint: expect.stringContaining("`svc join --replace`"),
      }),
    );
  });

  test.each([
    ["empty", ""],
    ["half of it", "{"],
    ["a list", "[]"],
    ["too large", " ".repeat(200 * 1024)],
  ])("that is %s cannot be read", (_what, text) => {
    writeFileSync(identityPath(place), text);
    expect(() => readIdentity(place)).toThrow(expect.objectContaining({ code: "identity-unreadable" }));
  });

  test("is no link", () => {
    writeFileSync(join(folder, "elsewhere"), JSON.stringify(written()));
    rmSync(identityPath(place));
    symlinkSync(join(folder, "elsewhere"), identityPath(place));
    expect(() => readIdentity(place)).toThrow(expect.objectContaining({ message: expect.stringContaining("symbolic link") }));
  });

  test("never tells its key, whatever is wrong with it", () => {
    const secret = whole.privateKey.split("\n")[1]!;
    const keys = ["schema", "cluster", "kind", "instance", "authServers", "certificate", "privateKey", "authorities", "received"];
    const text = written();
    fc.assert(
      fc.property(fc.constantFrom(...keys), fc.jsonValue(), (key, value) => {
        put({ ...text, [key]: value });
        try {
          readIdentity(place);
        } catch (thrown) {
          expect(thrown).toMatchObject({ code: "identity-unreadable" });
          const { message, hint } = thrown as { readonly message: string; readonly hint: string };
          expect(`${message} ${hint}`).not.toContain(secret);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("whatever text lies there is an identity or a fault", () => {
    const text = JSON.stringify(written());
    const cut = fc
      .tuple(fc.nat(text.length), fc.nat(40), fc.string())
      .map(([from, length, instead]) => text.slice(0, from) + instead + text.slice(from + length));
    fc.assert(
      fc.property(fc.oneof(fc.string(), cut), (found) => {
        writeFileSync(identityPath(place), found);
        try {
          const read = readIdentity(place);
          expect(read?.peer.subject).toEqual({ cluster, kind: "proxy", id: instance });
        } catch (thrown) {
          expect(thrown).toMatchObject({ code: "identity-unreadable" });
        }
      }),
      { numRuns: 500 },
    );
  });

  test("is replaced whole, and what lay half written beside it goes with it", () => {
    written();
    chmodSync(identityPath(place), 0o644);
    writeIdentity(place, { ...whole, generation: 2 });
    expect(readIdentity(place)?.stored.generation).toBe(2);
    expect(readdirSync(dirname(identityPath(place)))).toEqual(["proxy.json"]);
    expect(existsSync(`${identityPath(place)}.tmp`)).toBe(false);
  });
});

describe("what auth answers", () => {
  const own = () => ({ cluster, authServers: ["a:1"], privateKey: whole.privateKey, generation: 1, received });
  const answer = () => ({
    clusterName: "example",
    clusterId: cluster,
    instanceId: instance,
    kind: "proxy",
    certificate: whole.certificate,
    authorities: whole.authorities,
    renewAfterSeconds: "1296000",
  });

  test("becomes the identity of this host", () => {
    expect(acceptIdentity(answer(), own()).stored).toEqual({ ...whole, authServers: ["a:1"], renewAfterSeconds: 1_296_000 });
  });

  test.each([
    ["nothing", () => undefined, "it does not say when to renew"],
    ["a number where a text is meant", () => ({ ...answer(), renewAfterSeconds: 5 }), "it does not say when to renew"],
    ["a time that is none", () => ({ ...answer(), renewAfterSeconds: "-5" }), "it does not say when to renew"],
    ["no certificate", () => ({ ...answer(), certificate: undefined }), "certificate is not a text"],
    [
      "a certificate of another key",
      () => ({ ...answer(), certificate: other.certificate, authorities: other.authorities }),
      "its key",
    ],
    ["another cluster", () => ({ ...answer(), clusterId: otherCluster, certificate: elsewhere.certificate }), "its key is not"],
    ["another kind", () => ({ ...answer(), kind: "node" }), "another instance's"],
    ["a kind that is none", () => ({ ...answer(), kind: "cat" }), "kind is not a word known here"],
    ["a name without an end", () => ({ ...answer(), clusterName: "x".repeat(100_000) }), "cluster.name is not a text"],
  ])("with %s is no identity", (_what, made, why) => {
    expect(() => acceptIdentity(made() as never, own())).toThrow(
      expect.objectContaining({ code: "auth-mismatch", message: expect.stringContaining(why) }),
    );
  });

  test("is of the cluster that was met", () => {
    const ours = { ...own(), cluster: otherCluster };
    expect(() => acceptIdentity(answer(), ours)).toThrow(
      expect.objectContaining({ message: expect.stringContaining("another cluster") }),
    );
  });
});
