import { createHook } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { Fault } from "../../../src/rules/fault/fault.ts";
import type { Caller } from "../../../src/cluster/auth/caller.ts";
import type { AuthContext } from "../../../src/cluster/auth/context.ts";
import { credentialRow, newCredential, putCredential } from "../../../src/cluster/auth/credential-row.ts";
import { keepPassword } from "../../../src/cluster/auth/password.ts";
import { freeAttempts } from "../../../src/cluster/auth/sign-in-pauses.ts";
import { resourceHandlers } from "../../../src/cluster/auth/resources.ts";
import { rowOf } from "../../../src/cluster/auth/row-forms.ts";
import { signIn } from "../../../src/cluster/auth/sign-in.ts";
import type { InstanceId } from "../../../src/cluster/identity/names.ts";
import type { Thumbprint } from "../../../src/cluster/identity/proof.ts";
import { type OverTls } from "./over-tls.ts";
import { testOverTls as test } from "./fixtures.ts";

const root = { kind: "root", host: "auth1" } as const;
const password = "correct horse battery staple";

async function withUser({ context }: OverTls, user: string): Promise<void> {
  const resource = { kind: "user", version: "v2", metadata: { name: user }, spec: { roles: [] } };
  await resourceHandlers.createResource(context, root, { resource } as never);
}

async function withPassword(running: OverTls, user: string): Promise<void> {
  await withUser(running, user);
  const row = { ...newCredential(), password: await keepPassword(password) };
  const changes = [putCredential(user, row, undefined)];
  await running.store.commit({ at: running.clock.now, by: "me", changes, audit: [] });
}

const [proxy, otherProxy] = [randomUUID() as InstanceId, randomUUID() as InstanceId];

function visitor(made: number, through = proxy): Caller {
  const proof = { key: "k".repeat(43) as Thumbprint, id: randomUUID(), made };
  return { kind: "visitor", proof, proxy: through, address: "203.0.113.7" };
}

async function codeOf(signing: Promise<unknown>): Promise<string> {
  return signing.then(
    () => "signed in",
    (thrown: unknown) => (thrown instanceof Fault ? thrown.code : String(thrown)),
  );
}

describe("the work for a password", () => {
  test("is done once, whoever it is for: one who is there, one without a password, and nobody", async ({ running }) => {
    await withPassword(running, "anna");
    await withUser(running, "bob");
    let works = 0;
    const hook = createHook({ init: (_id, type) => void (type === "ARGON2REQUEST" && (works += 1)) });
    const context: AuthContext = { ...running.context, secondFactor: "off" };
    const seen: (readonly [string, number])[] = [];
    hook.enable();
    for (const [user, typed] of [
      ["anna", "wrong"],
      ["bob", password],
      ["nobody", password],
      ["anna", password],
    ] as const) {
      works = 0;
      const signing = signIn(context, visitor(running.clock.now), { user, password: typed, code: "", client: "tsh" } as never);
      seen.push([await codeOf(signing), works]);
    }
    hook.disable();
    expect(seen).toEqual([
      ["sign-in-refused", 1],
      ["sign-in-refused", 1],
      ["sign-in-refused", 1],
      ["signed in", 1],
    ]);
  });

  test("that is too much is sent away with when to come again, and counts against nobody", async ({ running }) => {
    await withPassword(running, "anna");
    const context: AuthContext = { ...running.context, secondFactor: "off" };
    const asked = { user: "anna", password, code: "", client: "" } as never;
    const { hashing } = context.people;
    const ends = Promise.withResolvers<void>();
    // As many networks as a proxy makes up.
    const full = Array.from({ length: 66 }, (_, network) => hashing.run({ proxy, network: String(network) }, () => ends.promise));
    for (let tries = 1; tries <= 5; tries += 1) {
      await expect(signIn(context, visitor(running.clock.now), asked)).rejects.toMatchObject({
        code: "auth-busy",
        retryAfterSeconds: 5,
      });
    }
    const reached = Promise.withResolvers<void>();
    const noticed: typeof hashing = {
      run: (from, work) => {
        reached.resolve();
        return hashing.run(from, work);
      },
    };
    const there: AuthContext = { ...context, people: { ...context.people, hashing: noticed } };
    const elsewhere = codeOf(signIn(there, visitor(running.clock.now, otherProxy), asked));
    await reached.promise;
    ends.resolve();
    await Promise.all(full);
    // Another proxy has its own turns.
    expect(await elsewhere).toBe("signed in");
    expect(await codeOf(signIn(context, visitor(running.clock.now), asked))).toBe("signed in");
  });
});

test("what one proxy says of addresses pauses nobody who comes through another", async ({ running }) => {
  await withPassword(running, "anna");
  const context: AuthContext = { ...running.context, secondFactor: "off" };
  const enter = (typed: string, through: InstanceId): Promise<string> =>
    codeOf(
      signIn(context, visitor(running.clock.now, through), { user: "anna", password: typed, code: "", client: "" } as never),
    );
  for (let tries = 0; tries < freeAttempts; tries += 1) await enter("wrong", proxy);
  expect([await enter(password, proxy), await enter(password, otherProxy)]).toEqual(["sign-in-refused", "signed in"]);
});

test("who is removed, or gets another password, while theirs is looked at, is not signed in", async ({ running }) => {
  for (const [user, meanwhile] of [
    ["anna", () => resourceHandlers.deleteResource(running.context, root, { kind: "user", name: "anna", revision: "" } as never)],
    [
      "bob",
      async () => {
        const item = await running.store.get({ kind: "credential", name: "bob" });
        const row = { ...rowOf(credentialRow, item!), generation: "2", password: await keepPassword("another one, for now") };
        await running.store.commit({ at: 1, by: "me", changes: [putCredential("bob", row, { item: item!, row })], audit: [] });
      },
    ],
  ] as const) {
    await withPassword(running, user);
    const hashing: AuthContext["people"]["hashing"] = {
      run: async (_owner, work) => {
        const is = await work();
        await meanwhile();
        return is;
      },
    };
    const context: AuthContext = { ...running.context, secondFactor: "off", people: { ...running.context.people, hashing } };
    const asked = { user, password, code: "", client: "" } as never;
    expect(await codeOf(signIn(context, visitor(running.clock.now), asked))).toBe("sign-in-refused");
    expect(await running.store.count("session")).toBe(0);
  }
});
