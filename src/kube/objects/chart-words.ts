/** The name of a setting in the chart's values, by the first key of its path. */
const values: Readonly<Record<string, string>> = {
  endpoint: "updater.versionServer",
  channel: "updater.releaseChannel",
  ca_file: "updater.ca.configMap",
  allow_plain_http: "updater.allowPlainHttp",
  "registry.pull_secrets": "imagePullSecrets",
  "object.tag": "updater.tag",
  "labelled.tag": "updater.tag",
  window: "updater.window",
  downgrade: "updater.downgrade",
  major: "updater.major",
  hold: "updater.hold",
  pin: "updater.pin",
  mode: "updater.mode",
  registry: "updater.registry",
  objects: "updater.objects",
};

/** Rewords a hint about a chart's settings: its reader has only the values. */
export function inChartWords(hint: string): string {
  return hint.replaceAll(/`([a-z_]+(?:\[\d+\])?(?:\.[a-z_]+)?)(?=(?:: [^`]*)?`)/g, (all, path: string) => {
    const key = path.replace(/\W.*/, "");
    const [whole, first] = [values[path], values[key]];
    if (whole !== undefined) return `\`${whole}`;
    // Drops the object's number, because the values do not list the release's own agent and so number objects differently.
    return first === undefined ? all : `\`${first}${path.slice(key.length).replace(/\d+/, "")}`;
  });
}
