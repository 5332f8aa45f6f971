import { createHash, createPublicKey, generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeKeyPair } from "../../../src/cluster/identity/key.ts";
import { printSshKey } from "../../../src/cluster/identity/ssh.ts";
import { call, type Host } from "./hosts.ts";
import { home, startWithPeople, told, type SignedIn, type WithPeople } from "./people.ts";

let running: WithPeople;
let web: Host;
let publicKey: string;

const upsert = "ResourceService/UpsertResource";

function role(name: string, allow: object): object {
  return { kind: "role", version: "v7", metadata: { name }, spec: { allow } };
}

async function reported(host: Host, hostname: string, more: object = {}): Promise<unknown> {
  const { status, body } = await call(host.trusting, "InventoryService/Report", {
    bootId: "boot-1",
    counter: String((counter += 1)),
    hostname,
    services: ["node"],
    version: "15.4.5",
    ...more,
  });
  expect(status).toBe(200);
  return body;
}
let counter = 0;

/** As `svc ssh setup` does. */
async function setUp(host: Host): Promise<{ readonly certificate: string; readonly userAuthorities: readonly string[] }> {
  const line = printSshKey(createPublicKey((await makeKeyPair()).publicKey), "root@host");
  const { status, body } = await call(host.trusting, "ShellService/CertifyHost", { publicKey: line });
  expect(status).toBe(200);
  return body as { certificate: string; userAuthorities: string[] };
}

beforeAll(async () => {
  running = await startWithPeople();
  ({ publicKey } = await makeKeyPair());
  web = await running.join("node");
  await reported(web, "web1");
  await setUp(web);
  await running.ask(upsert, { resource: role("ops", { logins: ["root", "{{user}}"], node_labels: { "*": "*" } }) });
  await running.ask(upsert, { resource: role("prod", { logins: ["admin"], node_labels: { env: "prod" } }) });
});
afterAll(async () => running[Symbol.asyncDispose]());

function certify(who: SignedIn, host: string, login: string, key = publicKey): ReturnType<WithPeople["as"]> {
  return running.as(who, "ShellService/CertifyShell", { host, login, publicKey: key });
}

describe("a person with a role", () => {
  let anna: SignedIn;
  beforeAll(async () => {
    anna = await running.person("anna", ["ops", "prod"]);
  });

  test("gets a certificate for one login on one host, by its id or its name, and may open the stream", async () => {
    for (const host of [web.id, web.id.toUpperCase(), "web1", "WEB1"]) {
      const { status, body } = await certify(anna, host, "root");
      expect([status, body]).toMatchObject([200, { serverId: web.id, hostname: "web1" }]);
      const { certificate } = body as { certificate: string };
      const blob = Buffer.from(certificate.split(" ")[1] ?? "", "base64").toString("latin1");
      expect(blob).toContain(`root@${web.id}`);
      expect(blob).toContain("anna@example");
    }
    expect((await certify(anna, web.id, "anna")).status).toBe(200);
    const opened = await running.as(anna, "ShellService/OpenShell", { host: "web1", login: "root" });
    expect([opened.status, opened.body]).toEqual([200, { serverId: web.id, hostname: "web1", shell: expect.any(String) }]);
    expect(await running.store.events({ name: web.id, most: 10 })).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ event: "shell.opened", actor: "anna", detail: `root on web1 from ${home}` }),
        expect.objectContaining({ event: "shell.certified", actor: "anna" }),
      ]),
    );
  });

  test.each([
    ["another login", () => web.id, "bob", "access-denied", "none of your roles has the login bob"],
    [
      "a login for other labels",
      () => web.id,
      "admin",
      "access-denied",
      "none of your roles has the login admin for a host with no labels",
    ],
    ["what is no login", () => web.id, "-oProxyCommand=x", "request-refused", "cannot be an account's name"],
    ["a host that nobody knows", () => "web2", "root", "resource-missing", "there is no host web2"],
    ["an id that nobody has", () => "0b9d7c1e-5f0a-4a7b-9a51-3f0e6a1c2d44", "root", "resource-missing", "there is no host"],
  ])("is refused %s, by both calls", async (_what, host, login, code, says) => {
    for (const answer of [
      await certify(anna, host(), login),
      await running.as(anna, "ShellService/OpenShell", { host: host(), login }),
    ])
      expect(told(answer)).toMatchObject({ code, message: expect.stringContaining(says) });
  });

  test("is refused a key that is not of P-256", async () => {
    const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({ type: "spki", format: "pem" }) as string;
    for (const key of ["", "x", rsa])
      expect(told(await certify(anna, web.id, "root", key)).message).toContain("not one of P-256");
  });

  test("says which of two hosts of one name is meant, and reaches none that was removed", async () => {
    const [one, other] = [await running.join("node"), await running.join("node")];
    await reported(one, "Twin");
    await reported(other, "twin");
    await setUp(one);
    expect(told(await certify(anna, "twin", "root"))).toMatchObject({
      message: "2 hosts are called twin",
      hint: expect.stringContaining(`\`tsh ssh LOGIN@${[one.id, other.id].toSorted()[0]}\``),
    });
    await running.ask("InstanceService/RemoveInstance", { id: other.id });
    expect((await certify(anna, "twin", "root")).status).toBe(200);
    expect(told(await certify(anna, other.id, "root")).code).toBe("resource-missing");
  });
});

describe("an open shell", () => {
  const shellOf = async (who: SignedIn, host = web): Promise<string> =>
    ((await running.as(who, "ShellService/OpenShell", { host: host.id, login: "root" })).body as { shell: string }).shell;

  async function keep(request: object = {}, by = running.proxy): Promise<Record<string, string>> {
    const { status, body } = await call(by.trusting, "ShellService/KeepShells", { upSeconds: 3600, ...request });
    expect(status).toBe(200);
    const { ending = [] } = body as { ending?: readonly { shell: string; why: string }[] };
    return Object.fromEntries(ending.map(({ shell, why }) => [shell, why]));
  }
  const closed = async (host = web): Promise<readonly string[]> =>
    (await running.store.events({ event: "shell.closed", name: host.id, most: 10 })).map(({ detail }) => detail);

  test("stays as long as its right does, and ends with the session, the user, the role or the host", async () => {
    const host = await running.join("node");
    // The longest name that a host can give itself.
    await reported(host, "w".repeat(254));
    const stays = await running.person("stays", ["ops"]);
    const left = await running.person("left", ["ops"]);
    const gone = await running.person("gone", ["ops"]);
    const less = await running.person("less", ["ops"]);
    const far = await running.person("far", ["ops"]);
    const shells = [
      await shellOf(stays),
      await shellOf(left),
      await shellOf(gone),
      await shellOf(less),
      await shellOf(far, host),
    ];
    expect(await keep()).toEqual({});
    await running.as(left, "SessionService/SignOut", {});
    await running.ask("ResourceService/DeleteResource", { kind: "user", name: "gone" });
    const user = { kind: "user", version: "v2", metadata: { name: "less" }, spec: { roles: ["auditor"] } };
    expect((await running.ask(upsert, { resource: user })).status).toBe(200);
    await running.ask("InstanceService/RemoveInstance", { id: host.id });
    expect(await keep()).toEqual({
      [shells[1]!]: "the session is over",
      [shells[2]!]: "the session is over",
      [shells[3]!]: "no role allows root there any more",
      [shells[4]!]: "the host was removed",
    });
    expect(await keep({}, await running.join("proxy")), "another proxy's").toEqual({});
    const ended = shells.map((shell) => ({ shell, bytesIn: "10", bytesOut: "2000", why: "a \u001b[31m word" }));
    expect(await keep({ ended })).toEqual({});
    expect(await closed()).toContain(`left as root on web1 from ${home}: 0 s, 10 bytes in and 2000 out; a  [31m word`);
    expect(await keep({ ended })).toEqual({});
    expect(await closed(), "once each").toHaveLength(4);
  });

  test("ends with the proxy that carried it, and nobody but a proxy says so", async () => {
    const dan = await running.person("dan", ["ops"]);
    await shellOf(dan);
    await running.person("later", []);
    await keep({ upSeconds: 10 });
    expect(await closed()).toContain(`dan as root on web1 from ${home}: 60 s; the proxy was started again`);
    expect((await call(web.trusting, "ShellService/KeepShells", {})).status).toBe(403);
    expect((await running.as(dan, "ShellService/KeepShells", {})).status).toBe(403);
    const many = Array.from({ length: 51 }, () => ({ shell: "x" }));
    expect((await call(running.proxy.trusting, "ShellService/KeepShells", { ended: many })).status).toBe(400);
  });
});

test("a host's sshd gets a certificate for its Server ID, and for a name that somebody else gave it", async () => {
  const host = await running.join("node");
  await reported(host, "web5", { publicAddr: "web1.example.com" });
  const olga = await running.person("olga", ["ops"]);
  expect(told(await certify(olga, host.id, "root"))).toMatchObject({
    message: `the sshd of web5 (${host.id}) was not told whose certificates to take`,
    hint: "on that host: `sudo svc ssh setup`",
  });
  const textOf = ({ certificate }: { readonly certificate: string }): string =>
    Buffer.from(certificate.split(" ")[1] ?? "", "base64").toString("latin1");
  const first = textOf(await setUp(host));
  expect(first).toContain(host.id);
  expect(first).not.toMatch(/web[15]/);
  expect((await certify(olga, host.id, "root")).status).toBe(200);
  await running.ask("InstanceService/LabelInstance", { id: host.id, labels: { public_addr: "web5.example.com" } });
  expect(textOf(await setUp(host))).toContain("web5.example.com");
  await running.ask("InstanceService/LabelInstance", { id: host.id, labels: { public_addr: "www.example" } });
  for (const name of ["www", "www.example"])
    expect((await certify(olga, name, "root")).body).toMatchObject({ serverId: host.id, hostname: "web5" });
  const other = await running.join("node");
  await reported(other, "www");
  expect(told(await certify(olga, "www", "root")).message).toBe("2 hosts are called www");
  const noName = { id: host.id, labels: { public_addr: "root@web1" } };
  expect((await running.ask("InstanceService/LabelInstance", noName)).status).toBe(400);
  const wrong = await call(host.trusting, "ShellService/CertifyHost", { publicKey: "ssh-dss AAAA" });
  expect(told(wrong).message).toBe("what was sent is no public key of an sshd");
});

test("nobody but a person gets a certificate, and the key that signs stays the same", async () => {
  expect((await running.ask("ShellService/CertifyShell", { host: web.id, login: "root", publicKey })).status).toBe(403);
  expect((await call(web.trusting, "ShellService/OpenShell", { host: web.id, login: "root" })).status).toBe(403);
  const status = async (): Promise<unknown> =>
    ((await running.ask("ClusterService/GetStatus", {})).body as { sshUserAuthorities: unknown }).sshUserAuthorities;
  const [first, second] = [await status(), await status()];
  expect(first).toEqual([expect.stringMatching(/^ecdsa-sha2-nistp256 \S+ svc-users@example$/)]);
  expect(second).toEqual(first);
});

test("a login comes from root, or from somebody who has it: the verb escalate gives none", async () => {
  const eva = await running.person("eva", ["editor"]);
  const wanted = role("shells", { logins: ["root"], node_labels: { "*": "*" } });
  const refused = told(await running.as(eva, upsert, { resource: wanted }));
  expect(refused).toMatchObject({
    code: "access-denied",
    message: expect.stringContaining("a login on hosts that your own roles do not give: root"),
  });
  const user = { kind: "user", version: "v2", metadata: { name: "bob" }, spec: { roles: ["ops"] } };
  expect(told(await running.as(eva, upsert, { resource: user })).code).toBe("access-denied");
  const both = await running.person("both", ["editor", "ops"]);
  expect((await running.as(both, upsert, { resource: wanted })).status).toBe(200);
  const digest = createHash("sha256").update("x").digest("hex");
  const reset = { user: "both", tokenDigest: digest, ttlSeconds: "3600", reset: true };
  expect(told(await running.as(eva, "InvitationService/CreateInvitation", reset)).code).toBe("access-denied");
});

test("a label that opens shells comes from root, or from somebody who has the login there", async () => {
  const host = await running.join("node");
  await reported(host, "web4");
  await setUp(host);
  const label = (labels: object): object => ({ id: host.id, labels });
  const lena = await running.person("lena", ["editor", "prod"]);
  const tim = await running.person("tim", ["prod"]);
  expect(told(await running.as(tim, "InstanceService/LabelInstance", label({ env: "prod" }))).code).toBe("access-denied");
  expect(told(await running.as(lena, "InstanceService/LabelInstance", label({ env: "prod" })))).toMatchObject({
    code: "access-denied",
    message: "with these labels roles would open shells there that your own roles do not open: admin",
  });
  const harmless = await running.as(lena, "InstanceService/LabelInstance", label({ site: "b", "host/env": "" }));
  expect([harmless.status, harmless.body]).toEqual([200, { hostname: expect.any(String), labels: { site: "b" } }]);
  expect(told(await certify(tim, host.id, "admin")).message).toContain("with the labels site=b");
  expect((await running.ask("InstanceService/LabelInstance", label({ env: "prod", site: "" }))).body).toMatchObject({
    labels: { env: "prod" },
  });
  const [last] = await running.store.events({ event: "instance.labelled", name: host.id, most: 1 });
  expect(last?.detail).toBe("site=, before: b; env=prod, before: none");
  expect((await certify(tim, host.id, "admin")).status).toBe(200);
  expect((await running.ask("InstanceService/LabelInstance", label({ "host/env": "prod" }))).status).toBe(400);
  const denied = {
    kind: "role",
    version: "v7",
    metadata: { name: "not-there" },
    spec: { deny: { node_labels: { env: "prod" } } },
  };
  await running.ask(upsert, { resource: denied });
  const nora = await running.person("nora", ["prod", "not-there"]);
  expect(told(await certify(nora, host.id, "admin"))).toMatchObject({
    message: `the role not-there denies shells as admin on web4 (${host.id})`,
    hint: "root can on the auth host: take this role from nora (`tctl users update`), or change its `deny`",
  });
  expect(told(await running.as(lena, "InstanceService/LabelInstance", label({ env: "" }))).message).toContain("open: *");
});

test("hosts are told where the proxies are, until one is removed", async () => {
  const proxy = await running.join("proxy");
  const proxiesNow = async (): Promise<unknown> => ((await reported(web, "web1")) as { proxies?: unknown }).proxies;
  const before = await proxiesNow();
  await reported(proxy, "proxy1", { services: ["proxy"], publicAddr: "proxy.example.com:443" });
  expect(await proxiesNow()).toEqual(["proxy.example.com:443"]);
  await reported(proxy, "proxy1", { services: ["proxy"], publicAddr: "other.example.com:443" });
  await reported(web, "web1", { publicAddr: "evil.example.com:443" });
  expect([before, await proxiesNow()]).toEqual([undefined, ["other.example.com:443"]]);
  await running.ask("InstanceService/RemoveInstance", { id: proxy.id });
  expect(await proxiesNow()).toBeUndefined();
});

// Last, because nobody here trusts auth afterwards.
test("a rotation gives SSH two newer keys, waits for each sshd that trusts the older alone, and then takes that away", async () => {
  type Status = { readonly sshUserAuthorities: readonly string[]; readonly sshHostAuthorities: readonly string[] };
  const status = async (): Promise<Status> => (await running.ask("ClusterService/GetStatus", {})).body as Status;
  const { userAuthorities } = await setUp(web);
  const signerOf = async (who: SignedIn): Promise<number> => {
    const { certificate } = (await certify(who, web.id, "root")).body as { certificate: string };
    const blob = Buffer.from(certificate.split(" ")[1] ?? "", "base64");
    const lines = (await status()).sshUserAuthorities;
    return lines.findIndex((line) => blob.includes(Buffer.from(line.split(" ")[1] ?? "", "base64")));
  };
  const ruth = await running.person("ruth", ["ops"]);
  await running.ask("ClusterService/RotateAuthority", { force: false });
  const both = await status();
  expect(both.sshUserAuthorities).toEqual([...userAuthorities, expect.any(String)]);
  expect(both.sshHostAuthorities).toHaveLength(2);
  expect(await signerOf(ruth), "the older one signs").toBe(0);
  const waiting = async (): Promise<string> => {
    const { status: refused, body } = await running.ask("ClusterService/RotateAuthority", { force: false });
    expect(refused).toBe(400);
    return JSON.stringify(body);
  };
  expect(await waiting()).toContain(`{"at":"${web.id}","found":"node, sshd node1"}`);
  expect((await setUp(web)).userAuthorities).toEqual(both.sshUserAuthorities);
  expect(await waiting()).toContain(`{"at":"${web.id}","found":"node node1"}`);
  await running.ask("ClusterService/RotateAuthority", { force: true });
  expect(await status()).toMatchObject({
    sshUserAuthorities: both.sshUserAuthorities.slice(1),
    sshHostAuthorities: both.sshHostAuthorities.slice(1),
  });
});
