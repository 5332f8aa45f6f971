import { expect, test } from "vitest";
import { readableWhole } from "../../../src/cluster/auth/body.ts";

async function* inPieces(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield await Promise.resolve(Buffer.from(text));
}

async function collected(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  let text = "";
  for await (const piece of pieces) text += Buffer.from(piece).toString();
  return text;
}

test("whoever reads a body after it was read whole gets the same bytes, and else gets them as they come", async () => {
  const whole = readableWhole(inPieces("a", "bc", "d"));
  expect(Buffer.from(await whole.whole()).toString()).toBe("abcd");
  expect(Buffer.from(await whole.whole()).toString()).toBe("abcd");
  expect(await collected(whole.pieces)).toBe("abcd");
  expect(await collected(readableWhole(inPieces("a", "bc")).pieces)).toBe("abc");
  expect(await collected(readableWhole(inPieces()).pieces)).toBe("");
});

test("a body that breaks off is told to whoever reads it, both times", async () => {
  async function* breaking(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(Buffer.from("a"));
    throw new Error("cut off");
  }
  const body = readableWhole(breaking());
  await expect(body.whole()).rejects.toThrow("cut off");
  await expect(collected(body.pieces)).rejects.toThrow("cut off");
});
