import { createHash, randomBytes } from "node:crypto";
import { expect } from "vitest";
import { makeKeyPair } from "../../../src/cluster/identity/key.ts";
import { codeAt, parseBase32, stepAt } from "../../../src/cluster/identity/one-time-code.ts";
import { makeProof } from "../../../src/cluster/identity/proof.ts";
import type { Answered, Host, Trusting, WithHosts } from "./hosts.ts";
import { callRaw, startWithHosts } from "./hosts.ts";
import type { Changes } from "./running.ts";

export type Headers = Readonly<Record<string, string>>;

/** What a person has who was invited and took it. */
export type Account = { readonly user: string; readonly password: string; readonly secret: string };

/** What a person has who is signed in. */
export type SignedIn = { readonly user: string; readonly token: string; readonly privateKey: string; readonly name: string };

export type Proving = {
  readonly privateKey: string;
  readonly token?: string | undefined;
  /** Else it is proven as it is sent. */
  readonly proven?: { readonly method?: string; readonly body?: object; readonly at?: number };
  readonly address?: string;
};

export type WithPeople = WithHosts & {
  readonly proxy: Host;
  /** By auth's clock. */
  readonly now: () => number;
  /** As a proxy hands it on: no header but those that are named. */
  readonly relay: (method: string, body: object | string, headers?: Headers, over?: Trusting) => Promise<Answered>;
  readonly headersFor: (method: string, body: object, proving: Proving) => Promise<Headers>;
  readonly codeOf: (account: Pick<Account, "secret">) => string;
  readonly invited: (user: string, reset?: "reset") => Promise<string>;
  /** A user with these roles, who has a password. */
  readonly account: (user: string, roles: readonly string[]) => Promise<Account>;
  readonly trySignIn: (account: Partial<Account>, changes?: SignInChanges) => Promise<Answered>;
  readonly signIn: (account: Account) => Promise<SignedIn>;
  /** A user with these roles, signed in. */
  readonly person: (user: string, roles: readonly string[]) => Promise<SignedIn>;
  readonly as: (who: SignedIn, method: string, body?: object) => Promise<Answered>;
};

export type SignInChanges = { readonly code?: string; readonly address?: string; readonly privateKey?: string };

export const password = "correct horse battery staple";
export const home = "203.0.113.7";

/** Auth as it runs, with a proxy through which people come, by a clock that stands still until a test moves it. */
export async function startWithPeople(changes: Changes = {}): Promise<WithPeople> {
  const began = Math.floor(Date.now() / 1000);
  const clock = { ahead: 0 };
  const now = (): number => began + clock.ahead;
  const hosts = await startWithHosts({ now, ...changes });
  const { cluster, ask } = hosts;
  const proxy = await hosts.join("proxy");

  const relay: WithPeople["relay"] = (method, body, headers = {}, over = proxy.trusting) =>
    callRaw(over, method, { body: typeof body === "string" ? body : JSON.stringify(body), headers });

  const headersFor: WithPeople["headersFor"] = async (method, body, { privateKey, token, proven = {}, address = home }) => {
    const sent = Buffer.from(JSON.stringify(proven.body ?? body));
    const path = `/svc.v1.${proven.method ?? method}`;
    const proof = await makeProof(privateKey, { cluster, path, body: sent, token, now: proven.at ?? now() });
    const session = token === undefined ? {} : { authorization: `DPoP ${token}` };
    return { dpop: proof, "svc-client-address": address, ...session };
  };

  const codeOf: WithPeople["codeOf"] = ({ secret }) => codeAt(parseBase32(secret)!, stepAt(now()));

  const invited: WithPeople["invited"] = async (user, reset) => {
    const token = randomBytes(32).toString("hex");
    const tokenDigest = createHash("sha256").update(token).digest("hex");
    const made = await ask("InvitationService/CreateInvitation", {
      user,
      tokenDigest,
      ttlSeconds: "3600",
      reset: reset !== undefined,
    });
    expect([made.status, made.body]).toMatchObject([200, { expires: expect.any(String) }]);
    return token;
  };

  const account: WithPeople["account"] = async (user, roles) => {
    const resource = { kind: "user", version: "v2", metadata: { name: user }, spec: { roles } };
    expect((await ask("ResourceService/CreateResource", { resource })).status).toBe(200);
    const token = await invited(user);
    const visiting = { "svc-client-address": home };
    const { body } = await relay("InvitationService/ReadInvitation", { token }, visiting);
    const { secret = "" } = body as { secret?: string };
    const code = secret === "" ? "" : codeOf({ secret });
    const taken = await relay("InvitationService/TakeInvitation", { token, password, code }, visiting);
    expect([taken.status, taken.body]).toEqual([200, { user }]);
    // The code of now was used by that.
    if (secret !== "") clock.ahead += 30;
    return { user, password, secret };
  };

  const trySignIn: WithPeople["trySignIn"] = async (given, { code, address, privateKey } = {}) => {
    const { user = "", password: typed = "", secret = "" } = given;
    const body = { user, password: typed, code: code ?? (secret === "" ? "" : codeOf({ secret })), client: "tsh" };
    const key = privateKey ?? (await makeKeyPair()).privateKey;
    const proving = { privateKey: key, ...(address === undefined ? {} : { address }) };
    return relay("SessionService/SignIn", body, await headersFor("SessionService/SignIn", body, proving));
  };

  const signIn: WithPeople["signIn"] = async (given) => {
    const { privateKey } = await makeKeyPair();
    const answer = await trySignIn(given, { privateKey });
    expect([answer.status, answer.body]).toMatchObject([200, { token: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
    if (given.secret !== "") clock.ahead += 30;
    const { token, session } = answer.body as { token: string; session: { name: string } };
    return { user: given.user, token, privateKey, name: session.name };
  };

  const as: WithPeople["as"] = async ({ token, privateKey }, method, body = {}) =>
    relay(method, body, await headersFor(method, body, { token, privateKey }));

  return {
    ...hosts,
    clock,
    proxy,
    now,
    relay,
    headersFor,
    codeOf,
    invited,
    account,
    trySignIn,
    signIn,
    person: async (user, roles) => signIn(await account(user, roles)),
    as,
  };
}

/** What a refusal says, for programs and for people. */
export function told({ body }: Answered): { readonly code: string; readonly message: string; readonly hint: string } {
  const { details = [], message = "" } = body as { details?: { debug?: { code?: string; hint?: string } }[]; message?: string };
  const { code = "", hint = "" } = details[0]?.debug ?? {};
  return { code, message, hint };
}
