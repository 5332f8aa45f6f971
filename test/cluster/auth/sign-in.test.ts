import { describe, expect } from "vitest";
import { makeKeyPair } from "../../../src/cluster/identity/key.ts";
import { metricsOf } from "./every-metric.ts";
import { home, password, startWithPeople, told } from "./people.ts";
import { testWithPeople as test } from "./fixtures.ts";
import { commit, put } from "../storage/filled.ts";

const getSession = "SessionService/GetSession";
const visiting = { "svc-client-address": home };

describe("an invitation", () => {
  test("is read as often as anybody likes, taken once, and makes somebody who can sign in", async ({ running }) => {
    const { ask, relay, codeOf } = running;
    const resource = { kind: "user", version: "v2", metadata: { name: "anna" }, spec: { roles: ["editor"] } };
    await ask("ResourceService/CreateResource", { resource });
    expect(told(await running.trySignIn({ user: "anna", password }, { code: "123456" })).code).toBe("sign-in-refused");
    const token = await running.invited("anna");
    const read = await relay("InvitationService/ReadInvitation", { token }, visiting);
    expect(read.body).toMatchObject({ user: "anna", clusterName: "example", secret: expect.stringMatching(/^[A-Z2-7]{32}$/) });
    expect((await relay("InvitationService/ReadInvitation", { token }, visiting)).body).toEqual(read.body);
    const account = { user: "anna", password, secret: (read.body as { secret: string }).secret };
    const taking = { token, password, code: codeOf(account) };
    const wrong = await relay("InvitationService/TakeInvitation", { ...taking, code: "000000" }, visiting);
    expect(told(wrong)).toMatchObject({ code: "sign-in-refused", message: expect.stringContaining("one-time code") });
    const taken = await Promise.all([1, 2].map(() => relay("InvitationService/TakeInvitation", taking, visiting)));
    expect(taken.map(({ status }) => String(status)).toSorted()).toEqual(["200", "403"]);
    expect(told(await relay("InvitationService/ReadInvitation", { token }, visiting)).code).toBe("invitation-refused");
    // The code that it was taken with signs nobody in.
    expect(told(await running.trySignIn(account)).code).toBe("sign-in-refused");
    running.clock.ahead += 30;
    const session = await running.signIn(account);
    expect((await running.as(session, getSession)).body).toMatchObject({
      session: { user: "anna", roles: ["editor"], address: home, client: "tsh", name: session.name },
      clusterName: "example",
      clusterId: running.cluster,
    });
  });

  test("says what is wrong with a password, and shows none of it", async ({ running }) => {
    await running.account("anna", []);
    const token = await running.invited("anna", "reset");
    const short = await running.relay("InvitationService/TakeInvitation", { token, password: "elevenchars" }, visiting);
    expect(short.body).toMatchObject({
      details: [{ debug: { code: "request-refused", wrong: [{ at: ".password", allowed: expect.stringContaining("12") }] } }],
    });
    expect(JSON.stringify([short.body, running.lines])).not.toContain("elevenchars");
  });

  test("is refused of a user who is not there, with a digest that is none, and for a month", async ({ running }) => {
    await running.account("anna", []);
    for (const [change, code] of [
      [{ user: "nobody" }, "resource-missing"],
      [{ tokenDigest: "x" }, "request-refused"],
      [{ ttlSeconds: "2592000" }, "request-refused"],
    ] as const) {
      const asked = { user: "anna", tokenDigest: "0".repeat(64), ttlSeconds: "3600", ...change };
      expect(told((await running.ask("InvitationService/CreateInvitation", asked)) as never).code).toBe(code);
    }
  });

  test("is over after its time, when another one is made, and when its user is removed", async ({ running }) => {
    await running.account("anna", []);
    const read = async (token: string): Promise<string> =>
      told(await running.relay("InvitationService/ReadInvitation", { token }, visiting)).code;
    const first = await running.invited("anna");
    const second = await running.invited("anna");
    expect([await read(first), await read(second)]).toEqual(["invitation-refused", ""]);
    running.clock.ahead += 3600;
    expect(await read(second)).toBe("invitation-refused");
    const third = await running.invited("anna");
    await running.ask("ResourceService/DeleteResource", { kind: "user", name: "anna" });
    expect(await read(third)).toBe("invitation-refused");
    expect(await read("guessed")).toBe("invitation-refused");
  });

  test("that was withdrawn is not taken, whatever rows are left of it", async () => {
    await using running = await startWithPeople({ secondFactor: "off" });
    await running.account("anna", []);
    const token = await running.invited("anna");
    const [row] = await running.store.list("invitation", { after: undefined, most: 1 });
    await running.invited("anna");
    await running.store.commit(commit([put("invitation", row!.name, row!.body)]));
    const taken = await running.relay("InvitationService/TakeInvitation", { token, password, code: "" }, visiting);
    expect(told(taken).code).toBe("invitation-refused");
  });

  test("leaves the password of before until it is taken, unless that is made void", async ({ running }) => {
    const account = await running.account("anna", []);
    await running.invited("anna");
    const session = await running.signIn(account);
    await running.invited("anna", "reset");
    expect(told(await running.as(session, getSession)).code).toBe("session-ended");
    expect(told(await running.trySignIn(account)).code).toBe("sign-in-refused");
    expect(running.removals.all()).toMatchObject([{ kind: "password", name: "anna" }]);
  });
});

describe("signing in", () => {
  test("is answered alike whatever is wrong, and shows nothing secret anywhere", async ({ running }) => {
    const account = await running.account("anna", []);
    const noPassword = { kind: "user", version: "v2", metadata: { name: "bob" }, spec: { roles: [] } };
    await running.ask("ResourceService/CreateResource", { resource: noPassword });
    const answers = await Promise.all([
      running.trySignIn({ ...account, password: "another one than hers" }),
      running.trySignIn({ ...account, user: "nobody" }),
      running.trySignIn({ ...account, user: "bob" }),
      running.trySignIn(account, { code: "000000" }),
    ]);
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect(told(answers[0]).code).toBe("sign-in-refused");
    await running.signIn(account);
    const events = await running.store.events({ most: 100 });
    const shown = JSON.stringify([events, running.lines, await running.ask("ResourceService/ListResources", {})]);
    for (const secret of [password, account.secret, "argon2", "another one than hers"]) expect(shown).not.toContain(secret);
  });

  test("takes a code once, and the one before or after", async ({ running }) => {
    const account = await running.account("anna", []);
    // From the start of a step.
    running.clock.ahead += 30 - (running.now() % 30);
    const before = running.codeOf(account);
    running.clock.ahead += 30;
    expect((await running.trySignIn(account, { code: before })).status).toBe(200);
    expect(told(await running.trySignIn(account, { code: before })).code).toBe("sign-in-refused");
    running.clock.ahead += 30;
    const current = running.codeOf(account);
    expect(
      (await Promise.all([1, 2].map(() => running.trySignIn(account, { code: current }))))
        .map(({ status }) => String(status))
        .toSorted(),
    ).toEqual(["200", "401"]);
    running.clock.ahead += 61;
    expect(told(await running.trySignIn(account, { code: current })).code).toBe("sign-in-refused");
  });

  test("needs a proof of the call, with the password in it, that was not used before", async () => {
    await using running = await startWithPeople({ secondFactor: "off" });
    const account = await running.account("anna", []);
    const method = "SessionService/SignIn";
    const body = { user: "anna", password, code: "", client: "tsh" };
    const { privateKey } = await makeKeyPair();
    expect(told(await running.relay(method, body, visiting))).toMatchObject({
      code: "proof-refused",
      message: expect.stringContaining("the call has none"),
    });
    const headers = await running.headersFor(method, body, { privateKey });
    const swapped = await running.relay(method, { ...body, client: "other" }, headers);
    expect(told(swapped)).toMatchObject({ code: "proof-refused", message: expect.stringContaining("another body") });
    expect((await running.relay(method, body, headers)).status).toBe(200);
    expect(told(await running.relay(method, body, headers)).code).toBe("sign-in-refused");
    expect(account.user).toBe("anna");
  });

  test("tells nobody by a proof that is sent twice whether the password was right", async ({ running }) => {
    const account = await running.account("anna", []);
    const method = "SessionService/SignIn";
    const { privateKey } = await makeKeyPair();
    const answers = [];
    for (const typed of [account.password, "another one than hers"]) {
      const body = { user: "anna", password: typed, code: "000000", client: "tsh" };
      const headers = await running.headersFor(method, body, { privateKey, address: typed === password ? home : "198.51.100.9" });
      await running.relay(method, body, headers);
      answers.push(await running.relay(method, body, headers));
    }
    expect(told(answers[0]!).code).toBe("sign-in-refused");
    expect(answers[0]?.body).toEqual(answers[1]?.body);
  });

  test("is told that its proof is older than auth's memory before the password is looked at", async ({ running }) => {
    const account = await running.account("anna", []);
    const method = "SessionService/SignIn";
    running.clock.ahead = 10;
    const { privateKey } = await makeKeyPair();
    const codes = [];
    for (const typed of [account.password, "another one than hers"]) {
      const body = { user: "anna", password: typed, code: "000000", client: "tsh" };
      const proven = { at: running.now() - 30 };
      codes.push(told(await running.relay(method, body, await running.headersFor(method, body, { privateKey, proven }))).code);
    }
    expect(codes).toEqual(["proof-refused", "proof-refused"]);
  });

  test("goes on where auth's clock was a day ahead when somebody signed in", async ({ running }) => {
    const account = await running.account("anna", []);
    running.clock.ahead += 86_400;
    await running.signIn(account);
    running.clock.ahead -= 86_400;
    const code = running.codeOf(account);
    expect((await running.trySignIn(account, { code })).status).toBe(200);
    expect(told(await running.trySignIn(account, { code })).code).toBe("sign-in-refused");
  });

  test("once more ends the oldest of many sessions", async () => {
    await using running = await startWithPeople({ secondFactor: "off" });
    const account = await running.account("anna", []);
    const first = await running.signIn(account);
    const second = await running.signIn(account);
    for (let more = 1; more <= 31; more += 1) await running.signIn(account);
    expect(told(await running.as(first, getSession)).code).toBe("session-ended");
    expect((await running.as(second, getSession)).status).toBe(200);
    expect(await running.store.count("session")).toBe(32);
  });
});

describe("passwords that are tried", () => {
  test("are looked at more and more slowly, from that address, and nobody else waits", async ({ running }) => {
    const account = await running.account("anna", []);
    const guess = { ...account, password: "a guess of somebody's" };
    const attacker = { address: "198.51.100.9" };
    const answers = [];
    for (let tries = 1; tries <= 6; tries += 1) answers.push(await running.trySignIn(guess, attacker));
    expect(answers.map(({ headers }) => headers["retry-after"] !== undefined)).toEqual([false, false, false, true, true, true]);
    // Even the right one is not looked at from there, and at once from elsewhere.
    expect((await running.trySignIn(account, attacker)).headers["retry-after"]).toBeDefined();
    expect((await running.trySignIn({ ...guess, user: "nobody" }, attacker)).headers["retry-after"]).toBeUndefined();
    await running.signIn(account);
  });

  test("are summed in the audit by minute and address, without what was typed for a name that nobody has", async ({
    running,
  }) => {
    const account = await running.account("anna", []);
    for (let tries = 1; tries <= 5; tries += 1) await running.trySignIn({ ...account, password: "wrong" });
    await running.trySignIn({ user: "Hunter2.Hunter2", password: "wrong" });
    await running.trySignIn(account, { code: "000000", address: "198.51.100.9" });
    await running.auth.stop();
    const refused = await running.store.events({ event: "sign-in.refused", most: 10 });
    const from = (address: string): string => `${address} through ${running.proxy.id}`;
    expect(refused.map(({ origin }) => origin).toSorted()).toEqual(["198.51.100.9", home].map(from));
    const [here] = refused.filter(({ origin }) => origin === from(home));
    expect(here?.detail).toMatch(/^6 in the minute from .*Z, anna 5, users that do not exist 1, not looked at, .* 2$/);
    expect(refused.find(({ origin }) => origin !== from(home))).toMatchObject({
      kind: "user",
      name: "anna",
      detail: expect.stringContaining("wrong code 1"),
    });
    expect(JSON.stringify(refused)).not.toContain("Hunter2");
  });

  test("are counted by what became of them", async ({ running }) => {
    const account = await running.account("anna", []);
    const session = await running.signIn(account);
    await running.trySignIn({ ...account, password: "wrong" });
    await running.trySignIn(account, { code: "000000" });
    await running.trySignIn({ ...account, password: "wrong" });
    await running.trySignIn({ ...account, password: "wrong" });
    await running.as({ ...session, token: "0".repeat(64) }, getSession);
    await running.as({ ...session, privateKey: (await makeKeyPair()).privateKey }, getSession);
    const metrics = await metricsOf(running.auth);
    expect(metrics.match(/^svc_auth_(?:sign_ins_total|refused_total|sessions)\b.*/gm)).toEqual([
      'svc_auth_refused_total{reason="session-ended"} 1',
      'svc_auth_refused_total{reason="proof-refused"} 1',
      'svc_auth_sign_ins_total{outcome="ok"} 1',
      'svc_auth_sign_ins_total{outcome="password"} 2',
      'svc_auth_sign_ins_total{outcome="code"} 1',
      'svc_auth_sign_ins_total{outcome="paused"} 1',
      'svc_auth_sign_ins_total{outcome="connector"} 0',
      "svc_auth_sessions 1",
    ]);
  });
});
