import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { drawCurves } from "../curves.ts";
import { parseTimerUnit } from "../timer/unit-file.ts";
import { element, stairs, text } from "./elements.ts";
import { drawFigure } from "./figure.ts";
import { decades, linearScale, logScale, steps } from "./scale.ts";

describe("a scale", () => {
  test.each([
    [100, 200],
    [1000, 150],
    [10_000, 100],
    [0, 200],
  ])("puts %d to %d on a logarithmic axis", (value, place) =>
    expect(logScale([100, 10_000], [200, 100])(value)).toBeCloseTo(place),
  );

  test("keeps the order of the values", () => {
    const scale = linearScale([-5, 5], [10, 300]);
    fc.assert(
      fc.property(fc.integer(), fc.integer(), (one, other) => {
        expect(Math.sign(scale(one) - scale(other))).toBe(Math.sign(one - other));
      }),
    );
  });

  test("has its powers of ten, and its steps from nought", () => {
    expect(decades([100, 3_000_000])).toEqual([100, 1000, 10_000, 100_000, 1_000_000]);
    expect(steps([-15, 30], 10)).toEqual([-10, 0, 10, 20, 30]);
  });
});

describe("an element", () => {
  test("is closed, rounded and free of what would end it", () => {
    expect(element("line", { x1: 1.234, class: 'a"b' })).toBe('<line x1="1.2" class="a&quot;b"/>');
    expect(text("a < b & c", { x: 1 })).toBe('<text x="1">a &lt; b &amp; c</text>');
  });

  test("keeps each value until the next one", () => {
    const points = [0, 1, 2, 3].map((x) => [x, x < 2 ? 5 : 7] as const);
    expect(stairs(points, 4)).toBe("M0 5H2V7H4");
  });
});

test("a figure has a panel for each scenario, its title, its caption, and the same drawing for the same seed", () => {
  const timer = parseTimerUnit("[Timer]\nOnCalendar=hourly\nRandomizedDelaySec=5min\n");
  const draw = (): string => {
    const panels = drawCurves({ timer, hosts: 50, seed: 1 }, { packageBytes: 1e6, packages: 1, hostBitsPerSecond: 1e6 });
    return drawFigure({
      panels,
      title: "Few & far between",
      legend: { shipped: "so", together: "or so" },
      caption: ["how it came about"],
    });
  };
  const figure = draw();
  expect(figure.match(/class="title"/g)).toHaveLength(4);
  expect(figure).toContain("Few &amp; far between");
  expect(figure).toContain("how it came about");
  expect(figure).not.toMatch(/NaN|undefined|Infinity/);
  expect(draw()).toBe(figure);
});
