import { describe, expect, test } from "vitest";
import {
  isPassword,
  keepPassword,
  nobodysPassword,
  parseKeptPassword,
  type KeptPassword,
} from "../../../src/cluster/auth/password.ts";

const own = "correct horse battery staple";

test("a password is known again, another one is not, and none of it is in what is kept", async () => {
  const [kept, again] = [await keepPassword(own), await keepPassword(own)];
  expect(kept).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(kept).not.toBe(again);
  expect(kept).not.toContain(own);
  expect(parseKeptPassword(kept)).toBe(kept);
  const tried = [own, `${own} `, own.toUpperCase(), "", "x".repeat(1024)];
  expect(await Promise.all(tried.map((one) => isPassword(one, kept)))).toEqual([true, false, false, false, false]);
});

/** From the tests of the reference implementation, for version 0x13. */
test("it is what the reference implementation makes of it", async () => {
  const kept = parseKeptPassword("$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc");
  expect(kept).toBeDefined();
  expect(await isPassword("password", kept!)).toBe(true);
  expect(await isPassword("differentpassword", kept!)).toBe(false);
});

test("what is typed alike is the same, however the keyboard makes it up", async () => {
  const kept = await keepPassword("schöne Grüße für alle");
  expect(await isPassword("schöne Grüße für alle".normalize("NFD"), kept)).toBe(true);
});

describe("what is kept is not taken where it", () => {
  const kept = nobodysPassword;
  test.each([
    ["is of another kind", kept.replace("argon2id", "argon2i")],
    ["asks for gigabytes", kept.replace("m=19456", "m=4000000")],
    ["asks for hours", kept.replace("t=2", "t=999")],
    ["asks for nothing", kept.replace("t=2", "t=0")],
    ["asks for more lanes than there is memory for", kept.replace("m=19456", "m=7")],
    ["was cut off", kept.slice(0, -20)],
    ["goes on", `${kept}$`],
  ])("%s", async (_what, text) => {
    expect(parseKeptPassword(text)).toBeUndefined();
    expect(await isPassword(own, text as KeptPassword)).toBe(false);
  });
});

test("nobody's costs as much as everybody's, and is nobody's", async () => {
  const kept = await keepPassword(own);
  expect(nobodysPassword.split("$").slice(0, 4)).toEqual(kept.split("$").slice(0, 4));
  expect(nobodysPassword.length).toBe(kept.length);
  expect(await isPassword(own, nobodysPassword)).toBe(false);
});
