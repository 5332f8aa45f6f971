import { expect, test } from "vitest";
import { atMost } from "../../../src/cluster/auth/at-most-at-once.ts";
import type { AuthContext } from "../../../src/cluster/auth/context.ts";

const context = {} as AuthContext;
const caller = { kind: "root", host: "auth1" } as const;

test("one too many is sent away at once, and whoever comes after an end is let in, also after a fault", async () => {
  const gates = [Promise.withResolvers<string>(), Promise.withResolvers<string>()] as const;
  const limited = atMost<number, string>(2, (_context, _caller, which) => gates[which as 0 | 1].promise);
  const [first, second] = [limited(context, caller, 0), limited(context, caller, 1)];
  await expect(limited(context, caller, 0)).rejects.toMatchObject({ code: "auth-busy" });
  gates[0].reject(new Error("it failed"));
  await expect(first).rejects.toThrow("it failed");
  const third = limited(context, caller, 1);
  await expect(limited(context, caller, 1)).rejects.toMatchObject({ code: "auth-busy" });
  gates[1].resolve("done");
  expect(await Promise.all([second, third])).toEqual(["done", "done"]);
});
