import { expect, test } from "vitest";
import { printGauges, type Sample } from "../../src/record/exposition.ts";

const head = "# HELP a_thing what it is\n# TYPE a_thing gauge\n";

function printed(...samples: readonly Sample[]): string {
  return printGauges([{ name: "a_thing", help: "what it is", samples }]);
}

test.each<[Sample["labels"], number, string]>([
  [{}, 0, "a_thing 0\n"],
  [{ one: "1" }, 1.5, 'a_thing{one="1"} 1.5\n'],
  [{ one: "1", two: "" }, -1, 'a_thing{one="1"} -1\n'],
  [{ two: "" }, 1, "a_thing 1\n"],
  [{ odd: '"a"\\n\nb, {c="d"}' }, 1, 'a_thing{odd="\\"a\\"\\\\n\\nb, {c=\\"d\\"}"} 1\n'],
])("labels %j and the value %d are one line", (labels, value, line) => {
  expect(printed({ labels, value })).toBe(head + line);
});

test("what has no sample has no help either", () => {
  expect(printed()).toBe("");
});
