export type Attributes = Readonly<Record<string, string | number>>;

export function element(name: string, attributes: Attributes, content: readonly string[] = []): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escape(brief(value))}"`);
  return `<${name}${written.join("")}${content.length === 0 ? "/>" : `>${content.join("")}</${name}>`}`;
}

export function text(words: string, attributes: Attributes): string {
  return element("text", attributes, [escape(words)]);
}

/** A line through points that keeps each value until the next one. */
export function stairs(points: readonly (readonly [x: number, y: number])[], end: number): string {
  let path = "";
  let height: string | undefined;
  for (const [x, y] of points) {
    const level = brief(y);
    if (height === undefined) path = `M${brief(x)} ${level}`;
    // Level ground needs no points of its own.
    else if (level !== height) path += `H${brief(x)}V${level}`;
    height = level;
  }
  return `${path}H${brief(end)}`;
}

function brief(value: string | number): string {
  return typeof value === "string" ? value : String(Math.round(value * 10) / 10);
}

function escape(words: string): string {
  return words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
