/** One value, told from the others of its name by labels. */
export type Sample = { readonly labels: Readonly<Record<string, string>>; readonly value: number };

export type Gauge = { readonly name: string; readonly help: string; readonly samples: readonly Sample[] };

/** Prometheus's text format. No sample has a timestamp: the textfile collector takes no file that holds one. */
export function printGauges(gauges: readonly Gauge[]): string {
  return gauges
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, samples }) => {
      const lines = samples.map(({ labels, value }) => `${name}${printLabels(labels)} ${value}\n`);
      return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${lines.join("")}`;
    })
    .join("");
}

/** A label without a value is no label to Prometheus. */
function printLabels(labels: Sample["labels"]): string {
  const told = Object.entries(labels).filter(([, value]) => value !== "");
  if (told.length === 0) return "";
  return `{${told.map(([label, value]) => `${label}="${escaped(value)}"`).join(",")}}`;
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
