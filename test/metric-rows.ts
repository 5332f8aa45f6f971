export type MetricRow = { readonly name: string; readonly type: string; readonly meaning: string };

/** Every metric of an exposition, with the labels of its first sample. */
export function metricRows(told: string): readonly MetricRow[] {
  return [...told.matchAll(/^# HELP (\S+) (.*)\n# TYPE \S+ (\S+)\n(\S*)/gm)].map(
    ([, name = "", meaning = "", type = "", sample = ""]) => {
      const labels = [...(/\{(.*)\}/.exec(sample)?.[1] ?? "").matchAll(/(\w+)="/g)].map(([, label]) => label);
      const shown = type === "histogram" || labels.length === 0 ? "" : `{${labels.join(", ")}}`;
      return { name: `${name}${shown}`, type, meaning };
    },
  );
}
