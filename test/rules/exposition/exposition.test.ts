import { expect, test } from "vitest";
import { printMetrics, type Sample } from "../../../src/rules/exposition/exposition.ts";

const head = "# HELP a_thing what it is\n# TYPE a_thing gauge\n";

function printed(...samples: readonly Sample[]): string {
  return printMetrics([{ name: "a_thing", type: "gauge", help: "what it is", samples }]);
}

test.each<[Sample["labels"], number, string]>([
  [{}, 0, "a_thing 0\n"],
  [{ one: "1" }, 1.5, 'a_thing{one="1"} 1.5\n'],
  [{ one: "1", two: undefined }, -1, 'a_thing{one="1"} -1\n'],
  [{ two: "", three: 200 }, 1, 'a_thing{two="",three="200"} 1\n'],
  [{ two: undefined }, 1, "a_thing 1\n"],
  [{ odd: '"a"\\n\nb, {c="d"}' }, 1, 'a_thing{odd="\\"a\\"\\\\n\\nb, {c=\\"d\\"}"} 1\n'],
])("labels %j and the value %d are one line", (labels, value, line) => {
  expect(printed({ labels, value })).toBe(head + line);
});

test("what has no sample has no help either", () => {
  expect(printed()).toBe("");
});
