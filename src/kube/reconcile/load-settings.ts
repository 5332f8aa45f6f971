import { zoneFaults } from "../../machine/clocks/local-times.ts";
import { readFileCapped } from "../../machine/files/read-file.ts";
import { readYaml } from "../../machine/yaml/read-yaml.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { settingsFault } from "../../rules/settings/explain.ts";
import type { SettingFault } from "../../rules/settings/settings.ts";
import { seePod } from "../api-server/in-pod.ts";
import { readUpdaterSettings, type Followed } from "../objects/settings.ts";

/** The limit for a ConfigMap. */
const longestSettingsBytes: number = 1024 * 1024;

/** Settings that name no zone use this machine's time zone. */
export const zonePaths = { localtime: "/etc/localtime", zoneinfo: "/usr/share/zoneinfo" };

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings of a file. The pod's own facts complete them. */
export async function loadSettings(path: string, environment: Environment): Promise<Followed> {
  const isOfChart = environment["SVC_AGENT_CHART"] !== undefined;
  const read = readUpdaterSettings(await valueIn(path), { origin: { kind: "file", path }, isOfChart, ...seePod(environment) });
  if (read.kind === "faults") throw settingsWrong(path, read.faults);
  // Reports a fault in shared settings once.
  const all = read.kind === "labelled" ? [read.labelled.usual] : read.settings;
  const zones = new Map(all.flatMap((one) => one.zones).map((zone) => [zone.key, zone]));
  const faults = zoneFaults([...zones.values()], zonePaths);
  if (faults.length > 0) throw settingsWrong(path, faults);
  return read;
}

async function valueIn(path: string): Promise<unknown> {
  // Follows links, because in a pod each file of a ConfigMap is one.
  const reading = readFileCapped(path, { capBytes: longestSettingsBytes, links: "follow" });
  if (reading.kind !== "read") {
    const why = reading.kind === "refused" ? reading.why : `it is ${reading.kind}`;
    throw new Fault("file-failed", {
      message: `${path} cannot be read: ${why}`,
      hint: "name the file of the settings: `--config FILE`",
    });
  }
  const yaml = await readYaml(reading.text);
  if (yaml.kind === "value") return yaml.value;
  throw settingsWrong(path, [{ origin: { kind: "file", path }, key: "", found: yaml.why, allowed: "YAML" }]);
}

function settingsWrong(path: string, faults: readonly SettingFault[]): Fault {
  return settingsFault(faults, `correct that, then see what is left: \`svc-kube-updater check --config ${path}\``);
}
