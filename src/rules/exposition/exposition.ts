/** One value with the labels that distinguish it. A label without a value is left out. */
export type Sample = {
  readonly labels: Readonly<Record<string, string | number | undefined>>;
  readonly value: number;
  readonly series?: "_bucket" | "_sum" | "_count";
};

export type MetricFamily = {
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  readonly samples: readonly Sample[];
};

/** Prints Prometheus's text format. No sample has a timestamp, because the textfile collector refuses a file with timestamps. */
export function printMetrics(families: readonly MetricFamily[]): string {
  return families
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, type, help, samples }) => {
      const lines = samples.map(({ labels, value, series = "" }) => `${name}${series}${printLabels(labels)} ${value}\n`);
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
    })
    .join("");
}

function printLabels(labels: Sample["labels"]): string {
  const told = Object.entries(labels).filter(([, value]) => value !== undefined);
  if (told.length === 0) return "";
  return `{${told.map(([label, value]) => `${label}="${escaped(String(value))}"`).join(",")}}`;
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
