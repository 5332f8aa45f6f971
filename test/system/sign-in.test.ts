import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { client, startOidcProvider, type OidcProvider } from "../cluster/auth/oidc-provider.ts";
import { startSamlProvider, type SamlProvider } from "../cluster/auth/saml-provider.ts";
import { proxyUrl, setVariables } from "./behind-proxy.ts";
import { clusterFile, configure, tctl, unit, withCluster } from "./cluster/on-host.ts";
import { makeAuthority } from "./lab/certificate.ts";
import { startChromium, type Chromium } from "./lab/chromium.ts";
import type { Host } from "./lab/host.ts";
import { bootPrepared } from "./lab/prepared.ts";
import { proxyName, startSquid, type LabProxy } from "./lab/proxy.ts";
import { relay } from "./lab/relay.ts";
import { scenario, withJournal } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";

const bookworm = { suite: "bookworm" } as const;
const credentials = { user: "fleet", password: "s3cret-Pass" };
const proxyHost = "proxy.example.com";
const callback = `https://${proxyHost}/v1/webapi/oidc/callback`;
/** What squid takes for this machine's loopback, and nobody else for anything. */
const providerHost = "outer.test";
const acs = `https://${proxyHost}/v1/webapi/saml/acs`;
const samlHost = "saml.test";
/** The screen of tsh is looked at this long. */
const longestTshMs = 60_000;

const missing = existsSync("/usr/bin/chromium") ? undefined : "the program chromium is missing: install chromium";
if (missing !== undefined) console.warn(`SKIPPED: signing in with a browser: ${missing}`);

type Stage = AsyncDisposable & {
  readonly cluster: Host;
  readonly provider: OidcProvider;
  readonly saml: SamlProvider;
  readonly squid: LabProxy;
  readonly chromium: Chromium;
};

/** A cluster that reaches the provider through squid alone, and a browser that reaches both. */
async function stageOn(cluster: Host): Promise<Stage> {
  await using begun = new AsyncDisposableStack();
  const provider = begun.use(await startOidcProvider(callback, providerHost));
  provider.people.set("anna", { email: "anna@example.com", email_verified: true, groups: ["staff", "ops"] });

  const saml = begun.use(await startSamlProvider(acs, samlHost));
  saml.people.set("bea@example.com", ["audit"]);

  const squid = await startSquid(cluster, { credentials, onlyPort: provider.port });
  await cluster.write("/etc/hosts", `127.0.0.1 localhost agent-host\n${cluster.network.outerAddress} ${proxyName}\n`);
  await setVariables(cluster, { HTTPS_PROXY: proxyUrl("http", squid, credentials) });
  await cluster.copyIn(provider.caFile, "/usr/local/share/ca-certificates/provider.crt");
  await cluster.mustRun(["update-ca-certificates"]);

  const authority = await makeAuthority(join(cluster.directory, "authority"));
  const own = await authority.issue("proxy", [`DNS:${proxyHost}`]);
  await cluster.copyIn(authority.caFile, "/root/ca.pem");
  await cluster.write("/etc/ssl/proxy.key", own.key, { owner: "root:svc", mode: "0640" });
  await cluster.write("/etc/ssl/proxy.pem", own.cert);
  const pair = "https_keypairs: [{key_file: /etc/ssl/proxy.key, cert_file: /etc/ssl/proxy.pem}]";
  await configure(cluster, clusterFile("web_listen_addr: 0.0.0.0:443", pair));
  await cluster.mustRun(["systemctl", "enable", "--now", "--quiet", unit]);
  await cluster.write("/root/idp.yaml", connector(provider), { mode: "0600" });
  await tctl(cluster, "create", "/root/idp.yaml");
  await cluster.write("/root/corp.yaml", samlConnector(saml));
  await tctl(cluster, "create", "/root/corp.yaml");

  const profile = join(cluster.directory, "chromium");
  await mkdir(profile);
  const names = { [proxyHost]: cluster.network.innerAddress, [providerHost]: "127.0.0.1", [samlHost]: "127.0.0.1" };
  const chromium = begun.use(
    await startChromium({ profile, names, certificates: [own.cert, provider.cert, saml.pageCertificate] }),
  );
  const all = begun.move();
  return { cluster, provider, saml, squid, chromium, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

function connector({ issuer }: OidcProvider): string {
  return `kind: oidc
version: v3
metadata: {name: idp}
spec:
  issuer_url: ${issuer}
  client_id: ${client.client_id}
  client_secret: ${client.client_secret}
  redirect_url: ${callback}
  scope: [groups]
  claims_to_roles:
    - {name: groups, value: ops, roles: [editor]}
`;
}

function samlConnector({ metadata }: SamlProvider): string {
  return `kind: saml
version: v2
metadata: {name: corp}
spec:
  acs: ${acs}
  entity_descriptor: ${JSON.stringify(metadata)}
  attributes_to_roles:
    - {name: groups, value: audit, roles: [auditor]}
`;
}

type Typing = {
  /** Waits until the screen has it. */
  readonly says: (words: string | RegExp) => Promise<string>;
  readonly type: (line: string) => void;
  readonly status: () => Promise<number | null>;
};

/** A line that a person types on a terminal of the host. */
function typed(host: Host, line: string): Typing {
  const inside = ["nsenter", "--target", String(host.leader()), "--all", "--wdns=/"];
  const terminal = ["script", "--quiet", "--return", "--command", line, "/dev/null"];
  const argv = [...inside, "runuser", "--user", "ordinary", "--", ...terminal];
  const env = { PATH: "/usr/bin:/bin:/usr/sbin:/sbin", LANG: "C.UTF-8", TERM: "xterm", HOME: "/home/ordinary" };
  const child = spawn(argv[0] ?? "", argv.slice(1), { env, stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit");
  let screen = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (screen += stripVTControlCharacters(text)));
  host.atStop(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return {
    says: async (words) => {
      const isThere = (): boolean => (typeof words === "string" ? screen.includes(words) : words.test(screen));
      await until(`\`${line}\` to say ${String(words)}`, longestTshMs, () => (isThere() ? true : undefined)).catch((cause) => {
        throw new Error(`on its screen:\n${screen}`, { cause });
      });
      return screen;
    },
    type: (text) => void child.stdin.write(`${text}\r`),
    status: async () => ((await ended) as [number | null])[0],
  };
}

const prompt = "Code that the browser shows: ";

async function begin(host: Host, port: number, connectorName = "idp"): Promise<Typing & { readonly url: string }> {
  const tsh = typed(host, `tsh login --proxy=${proxyHost}:${port} --auth=${connectorName}`);
  const screen = await tsh.says(prompt);
  return { ...tsh, url: /https:\/\/\S+\/web\/sign-in\/[0-9a-f]{32}/.exec(screen)?.[0] ?? screen };
}

async function asPerson(host: Host, ...argv: readonly string[]): Promise<{ readonly status: number; readonly stdout: string }> {
  return host.run(argv, { user: "ordinary", env: { HOME: "/home/ordinary" } });
}

type Playing = { readonly stage: Stage; readonly desk: Host; readonly port: number };

async function wrongPasswordThenCancel({ stage: { cluster, chromium }, desk, port }: Playing): Promise<void> {
  const tsh = await begin(desk, port);
  const tab = await chromium.tab();
  await tab.open(tsh.url);
  await tab.shows("Sign in");
  await tab.type("login", "anna");
  await tab.type("password", "wrong");
  await tab.press("Sign in");
  expect(await tab.shows("wrong password")).not.toContain("One more step");
  tsh.type("BCDF-GHJK");
  await tsh.says("the browser is not done yet");

  await tab.press("Cancel");
  expect(await tab.shows("You are not signed in")).toContain("was cancelled");
  await tsh.says("the sign-in was cancelled");
  expect(await tsh.status()).toBe(77);
  expect((await asPerson(desk, "tsh", "status")).status).toBe(77);
  expect(await tctl(cluster, "users", "ls")).not.toContain("anna");
  expect(await tctl(cluster, "audit", "ls", "--event=sign-in.refused")).toContain("was cancelled");
}

async function rightPassword({ stage: { cluster, chromium }, desk, port }: Playing): Promise<void> {
  const tsh = await begin(desk, port);
  const tab = await chromium.tab();
  await tab.open(tsh.url);
  await tab.shows("Sign in");
  await tab.type("login", "anna");
  await tab.type("password", "right");
  await tab.press("Sign in");
  await tab.shows("Allow");
  await tab.press("Allow");
  const page = await tab.shows("One more step, anna@example.com");
  const code = /[A-Z]{4}-[A-Z]{4}/.exec(page)?.[0] ?? page;
  const picture = process.env["SIGN_IN_PICTURE"];
  if (picture !== undefined) await tab.screenshot(picture);

  // The code stays good, and is shown to nobody a second time.
  const back = await tab.address();
  expect(back).toContain(`${callback}?`);
  await tab.reload();
  expect(await tab.shows("You are not signed in")).not.toContain(code);
  tsh.type(code);
  await tsh.says("signed in");
  expect(await tsh.status()).toBe(0);
  expect(JSON.parse((await asPerson(desk, "tsh", "status", "-f", "json")).stdout)).toMatchObject({
    active: { username: "anna@example.com", roles: ["editor"], connector: "idp" },
  });
  expect(await tctl(cluster, "users", "ls")).toMatch(/^anna@example\.com +editor +oidc\/idp$/m);
  await tab.open(back);
  await tab.shows("You are not signed in");
  const { sessions } = JSON.parse(await tctl(cluster, "sessions", "ls", "--format", "json")) as { readonly sessions: unknown[] };
  expect(sessions).toHaveLength(1);
}

/** The answer comes in a form of another site, and the cookie has to come along. */
async function bySaml({ stage: { chromium }, desk, port }: Playing): Promise<void> {
  const tsh = await begin(desk, port, "corp");
  const tab = await chromium.tab();
  await tab.open(tsh.url);
  await tab.shows("Sign in");
  await tab.type("login", "bea@example.com");
  await tab.type("password", "right");
  await tab.press("Sign in");
  await tab.shows("Continue");
  await tab.press("Continue");
  const page = await tab.shows("One more step, bea@example.com");
  tsh.type(/[A-Z]{4}-[A-Z]{4}/.exec(page)?.[0] ?? page);
  await tsh.says("signed in");
  expect(await tsh.status()).toBe(0);
  expect(JSON.parse((await asPerson(desk, "tsh", "status", "-f", "json")).stdout)).toMatchObject({
    active: { username: "bea@example.com", roles: ["auditor"], connector: "corp" },
  });
}

describe.skipIf(missing !== undefined)("a person signs in with chromium", () => {
  test(
    "through a provider that auth reaches by squid alone: cancelled, with the right password, and with the same callback again",
    scenario(withCluster(bookworm), async ({ host: desk }) => {
      const cluster = await bootPrepared(withCluster(bookworm));
      try {
        await using stage = await stageOn(cluster);
        await desk.write("/etc/hosts", `127.0.0.1 localhost agent-host\n${desk.network.outerAddress} ${proxyHost}\n`);
        await desk.write("/usr/local/share/ca-certificates/proxy.crt", await cluster.read("/root/ca.pem"));
        await desk.mustRun(["update-ca-certificates"]);
        const port = await relay(desk, { host: cluster, port: 443 });
        await wrongPasswordThenCancel({ stage, desk, port });
        await rightPassword({ stage, desk, port });
        await bySaml({ stage, desk, port });

        const { squid, provider } = stage;
        expect(new Set(await squid.requests())).toEqual(new Set([`CONNECT ${providerHost}:${provider.port}`]));
        const direct = ["curl", "--noproxy", "*", "--silent", `${provider.issuer}/.well-known/openid-configuration`];
        // There is no such name but to squid.
        expect((await cluster.run(direct)).status).toBe(6);
        expect(await cluster.journal(unit)).not.toContain(credentials.password);
      } catch (failure) {
        throw await withJournal(cluster, failure);
      } finally {
        await cluster.stop();
      }
    }),
  );
});
