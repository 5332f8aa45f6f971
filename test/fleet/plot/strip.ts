import { element, stairs, text } from "./elements.ts";
import { decades, logScale, type Scale, type Span } from "./scale.ts";

/** One height for each stretch of time, all stretches equally long. */
export type Series = { readonly kind: "shipped" | "together"; readonly values: readonly number[] };

export type Strip = {
  readonly label: string;
  /** Of the values, lowest and highest, on a logarithmic axis. */
  readonly span: Span;
  readonly print: (value: number) => string;
  readonly series: readonly Series[];
  /** Said in place of lines where there is nothing to draw. */
  readonly nothing: string;
};

export type Place = {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly time: Scale;
  readonly secondsPerValue: number;
};

/** A value axis, its lines, and the curves over them. */
export function drawStrip(strip: Strip, place: Place): string {
  const { left, right, top, bottom } = place;
  const height = logScale(strip.span, [bottom, top]);
  const ticks = decades(strip.span).flatMap((value) => [
    element("line", { class: "grid", x1: left, x2: right, y1: height(value), y2: height(value) }),
    text(strip.print(value), { class: "tick", x: left - 6, y: height(value) + 3.5, "text-anchor": "end" }),
  ]);
  const isEmpty = strip.series.every(({ values }) => values.every((value) => value === 0));
  const curves = isEmpty
    ? [text(strip.nothing, { class: "nothing", x: (left + right) / 2, y: (top + bottom) / 2 + 4, "text-anchor": "middle" })]
    : strip.series.map((series) => drawSeries(series, { ...place, height }));
  return [
    text(strip.label, { class: "label", x: left, y: top - 6 }),
    ...(isEmpty ? [] : strip.series.map((series) => drawPeak(strip, series, place))),
    ...ticks,
    ...curves,
    element("line", { class: "axis", x1: left, x2: right, y1: bottom, y2: bottom }),
  ].join("\n");
}

const peakWidth = 76;

/** The highest value in words, in the colour of its curve. */
function drawPeak({ print }: Strip, { kind, values }: Series, { right, top }: Place): string {
  const x = kind === "together" ? right : right - peakWidth;
  const peak = print(values.reduce((most, value) => Math.max(most, value), 0));
  return text(peak, { class: `label of-${kind}`, x, y: top - 6, "text-anchor": "end" });
}

function drawSeries({ kind, values }: Series, place: Place & { readonly height: Scale }): string {
  const { time, secondsPerValue, height, right } = place;
  const points = values.map((value, index) => [time(index * secondsPerValue), height(value)] as const);
  return element("path", { class: `curve ${kind}`, d: stairs(points, right) });
}
