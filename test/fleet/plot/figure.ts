import { element, text } from "./elements.ts";
import { drawPanel, panelSize, type Panel } from "./panel.ts";
import type { Series } from "./strip.ts";

export type Figure = {
  readonly panels: readonly Panel[];
  readonly title: string;
  readonly legend: Readonly<Record<Series["kind"], string>>;
  readonly caption: readonly string[];
};

const head = 62;
const columns = 2;
const lineHeight = 17;

type Colours = Readonly<Record<"paper" | "ink" | "faint" | "grid" | "shipped" | "together", string>>;

const light: Colours = {
  paper: "#ffffff",
  ink: "#1f2328",
  faint: "#59636e",
  grid: "#d8dee4",
  shipped: "#0b62d6",
  together: "#bc4c00",
};
const dark: Colours = {
  paper: "#0d1117",
  ink: "#f0f6fc",
  faint: "#9198a1",
  grid: "#2a313c",
  shipped: "#58a6ff",
  together: "#f0883e",
};

/** No custom properties: what turns drawings into pictures does not know them. */
function coloured({ paper, ink, faint, grid, shipped, together }: Colours): string {
  return `text { fill: ${ink} } .paper { fill: ${paper} } .tick, .caption, .nothing { fill: ${faint} }
.grid { stroke: ${grid} } .axis { stroke: ${faint} } .shipped { stroke: ${shipped} } .together { stroke: ${together} }
.of-shipped { fill: ${shipped} } .of-together { fill: ${together} }`;
}

const style = `
text { font-family: system-ui, "DejaVu Sans", sans-serif }
.head { font-size: 17px; font-weight: 600 } .title { font-size: 14px; font-weight: 600 }
.label { font-size: 12px } .tick, .caption { font-size: 11px } .nothing { font-size: 12px }
.curve { fill: none; stroke-width: 1.6; stroke-linejoin: round } .axis { stroke-width: 1.6 }
${coloured(light)}
@media (prefers-color-scheme: dark) {
${coloured(dark)}
}
`;

export function drawFigure({ panels, title, legend, caption }: Figure): string {
  const width = columns * panelSize.width;
  const panelsBottom = head + Math.ceil(panels.length / columns) * panelSize.height;
  const height = panelsBottom + caption.length * lineHeight + 14;
  const drawn = panels.map((panel, index) =>
    drawPanel(panel, { x: (index % columns) * panelSize.width, y: head + Math.floor(index / columns) * panelSize.height }),
  );
  const content = [
    element("style", {}, [style]),
    element("title", {}, [title]),
    element("rect", { class: "paper", width, height }),
    text(title, { class: "head", x: 14, y: 27 }),
    ...drawLegend(legend, 14, 50),
    ...drawn,
    ...caption.map((line, index) => text(line, { class: "caption", x: 14, y: panelsBottom + 8 + index * lineHeight })),
  ];
  const root = { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width} ${height}`, width, height, role: "img" };
  return `${element("svg", root, [`\n${content.join("\n")}\n`])}\n`;
}

function drawLegend({ shipped, together }: Figure["legend"], x: number, y: number): readonly string[] {
  const entry = (kind: string, words: string, from: number): readonly string[] => [
    element("line", { class: `curve ${kind}`, x1: from, x2: from + 26, y1: y - 4, y2: y - 4 }),
    text(words, { class: "label", x: from + 34, y }),
  ];
  return [...entry("shipped", shipped, x), ...entry("together", together, x + 340)];
}
