import type { Load } from "../load.ts";
import { mirrorBits, type Download } from "../mirror.ts";
import type { Scenario } from "../scenario.ts";
import { rounded, whole } from "../print.ts";
import { peaksOf } from "../summary.ts";
import { element, text } from "./elements.ts";
import { linearScale, steps } from "./scale.ts";
import { drawStrip, type Place, type Strip } from "./strip.ts";

/** A scenario with the timer as it is shipped, and with the random delay left out. */
export type Panel = {
  readonly scenario: Scenario;
  readonly hosts: number;
  readonly shipped: Load;
  readonly together: Load;
  readonly download: Download;
};

export type Corner = { readonly x: number; readonly y: number };

export const panelSize: { readonly width: number; readonly height: number } = { width: 560, height: 350 };

const inset = { left: 66, right: 16, server: [58, 186], mirror: [222, 300] } as const;

/** A curve's points need not be closer together than can be seen. */
const mostValues = 480;

export function drawPanel(panel: Panel, { x, y }: Corner): string {
  const { scenario } = panel;
  const seconds = scenario.until - scenario.from;
  // A day shows the highest second of each of its ten minutes, for the curve would be a surface otherwise.
  const secondsPerValue = seconds > 6 * 3600 ? 600 : Math.ceil(seconds / mostValues);
  const [left, right] = [x + inset.left, x + panelSize.width - inset.right];
  const time = linearScale([0, seconds], [left, right]);
  const place = ([top, bottom]: readonly [number, number]): Place => {
    return { left, right, top: y + top, bottom: y + bottom, time, secondsPerValue };
  };
  return [
    text(scenario.title, { class: "title", x: x + 14, y: y + 24 }),
    drawStrip(serverStrip(panel, secondsPerValue), place(inset.server)),
    drawStrip(mirrorStrip(panel, secondsPerValue), place(inset.mirror)),
    drawTimeAxis(scenario, { time, bottom: y + inset.mirror[1], middle: (left + right) / 2 }),
  ].join("\n");
}

function serverStrip({ hosts, shipped, together }: Panel, secondsPerValue: number): Strip {
  return {
    label: `version server, requests per second${ofStretch(secondsPerValue)}`,
    // Up to two questions of every host in one second, with room above.
    span: [hosts / 10_000, hosts * 3],
    print: whole,
    series: [
      { kind: "together", values: peaksOf(together.requests, secondsPerValue) },
      { kind: "shipped", values: peaksOf(shipped.requests, secondsPerValue) },
    ],
    nothing: "no questions",
  };
}

function mirrorStrip({ hosts, shipped, together, download }: Panel, secondsPerValue: number): Strip {
  const values = ({ moves }: Load): readonly number[] => peaksOf(mirrorBits(moves, download), secondsPerValue);
  return {
    label: "package mirror, Tbit per second",
    // Up to all hosts at once.
    span: [(hosts * download.hostBitsPerSecond) / 1000, hosts * download.hostBitsPerSecond * 3],
    print: (value) => rounded(value / 1e12),
    series: [
      { kind: "together", values: values(together) },
      { kind: "shipped", values: values(shipped) },
    ],
    nothing: "nobody fetches a package",
  };
}

function ofStretch(secondsPerValue: number): string {
  return secondsPerValue >= 60 ? `, busiest in ${secondsPerValue / 60} minutes` : "";
}

type TimeAxis = { readonly time: (seconds: number) => number; readonly bottom: number; readonly middle: number };

function drawTimeAxis({ name, from, until, event }: Scenario, { time, bottom, middle }: TimeAxis): string {
  const [unit, step, words] =
    name === "day" ? [3600, 3, "time of day (UTC)"] : [60, 10, `minutes from ${clockOf(event)} UTC, when it happens`];
  const ticks = steps([(from - event) / unit, (until - event) / unit], step).flatMap((value) => {
    const at = time(value * unit + event - from);
    const label = name === "day" ? clockOf(value * unit) : value > 0 ? `+${value}` : String(value);
    return [
      element("line", { class: "axis", x1: at, x2: at, y1: bottom, y2: bottom + 4 }),
      text(label, { class: "tick", x: at, y: bottom + 17, "text-anchor": "middle" }),
    ];
  });
  return [...ticks, text(words, { class: "tick", x: middle, y: bottom + 34, "text-anchor": "middle" })].join("\n");
}

function clockOf(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}
