import { expect, test } from "vitest";
import { between, plainText, seconds, type Form } from "../../../src/cluster/resource/form.ts";

test.each<[what: string, form: Pick<Form<unknown>, "read">, taken: readonly unknown[], refused: readonly unknown[]]>([
  ["plain text", plainText, ["", "15.4.6-1"], [1, "a\nb", "x".repeat(129)]],
  ["a number between two others", between(1, 3, "1 to 3"), [1, 3], [0, 4, 1.5, "1"]],
  ["seconds", seconds, [0, Number.MAX_SAFE_INTEGER], [-1, 2 ** 53, 0.5, "1"]],
])("%s is taken within its bounds, and nothing else", (_what, form, taken, refused) => {
  expect(taken.map((raw) => form.read(raw, "file"))).toEqual(taken.map((value) => ({ kind: "value", value })));
  expect(refused.map((raw) => form.read(raw, "file").kind)).toEqual(refused.map(() => "refused"));
});
