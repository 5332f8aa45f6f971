import { Socket } from "node:net";
import { expect, test } from "vitest";
import { Handshakes } from "../../../src/machine/listening/handshakes.ts";

function queued(): { readonly add: (name: string) => Socket; readonly begun: readonly string[]; readonly all: () => void } {
  let begin = (): boolean => false;
  const handshakes = new Handshakes({
    spend: (piece) => {
      begin = piece;
      return () => undefined;
    },
  });
  const begun: string[] = [];
  return {
    begun,
    add: (name) => {
      const socket = new Socket();
      handshakes.add({ from: name.slice(0, 1), socket }, () => begun.push(name));
      return socket;
    },
    all: () => {
      while (begin());
    },
  };
}

test("each address has its turn, however many come from another one", () => {
  const { add, begun, all } = queued();
  for (const name of ["a1", "a2", "a3", "b1", "a4", "c1", "b2"]) add(name);
  all();
  expect(begun).toEqual(["a1", "b1", "c1", "a2", "b2", "a3", "a4"]);
});

test("whoever breaks off before it begins is left out, and ends nothing", () => {
  const { add, begun, all } = queued();
  const [gone] = [add("a1"), add("a2")];
  gone?.emit("error", new Error("reset"));
  gone?.destroy();
  all();
  expect(begun).toEqual(["a2"]);
});
