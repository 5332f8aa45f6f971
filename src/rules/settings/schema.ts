import { channelNameRule, parseChannelName } from "../channel/path.ts";
import { oneOf, own, parsed, truth, type Of, type Shape } from "../shape/shape.ts";
import { readBaseUrl } from "./base-url.ts";
import { parseConfigKey, readAgentFile, readScheduleFile } from "./read-agent-files.ts";
import { credentials } from "./read-credentials.ts";
import { blackouts, hold, pin } from "./read-ranges.ts";
import { command, parseMetricsFile, parsePackageName, path, readUnitName } from "./read-text.ts";
import { hour, settle, timeOfDay, timezone, weekdays, windowDuration } from "./read-time.ts";
import { windows } from "./read-window.ts";

type Row<Value> = {
  readonly of: Shape<Value>;
  readonly meaning: string;
  /** What root would start, read or write for a user who could set this key. */
  readonly names?: "a program" | "a file";
};

const pathRule = "an absolute path of a file";
const agentFileRule =
  "an absolute path of a file, without `.` and `..`, not below /home, /root, /run, /tmp, /var/tmp, /dev, /proc or /sys, nor where keys and passwords lie";

/** Every key of a settings file. A dot stands for one level of the file. Reading, faults, variables and docs/settings.md follow this table. */
const table = {
  endpoint: {
    of: own(
      readBaseUrl,
      "an http or https base URL without credentials, query and fragment, for example https://proxy.example.com",
    ),
    meaning: "where the version is asked for; without it the agent's own configuration says where",
  },
  channel: { of: parsed(parseChannelName, channelNameRule), meaning: "the channel whose version is kept" },
  "agent.package": {
    of: parsed(parsePackageName, "the name of a deb or rpm package"),
    meaning: "the package that is kept on the version",
  },
  "agent.unit": {
    of: own(readUnitName, "the name of a systemd service, for example svc.service"),
    meaning: "the service that runs the agent; must be given for another package",
  },
  "agent.version_command": {
    of: command,
    meaning:
      "prints the version of the installed binary; [] (for another package, unless given): the package database alone is asked",
    names: "a program",
  },
  "agent.activate": {
    of: oneOf(["reload-or-restart", "restart"]),
    meaning: "how the service is brought to the new version; for another package restart, unless given",
  },
  "agent.schedule_file": {
    of: own(
      readScheduleFile,
      "an absolute path of a file in a directory of its own below /etc, /opt, /srv, /usr/local/etc, /var/lib, /var/local or /var/opt, for example /var/lib/acme/upgrade/schedule",
    ),
    meaning: "where the agent writes the maintenance schedule; `enroll` gives the file and its directory to the agent's user",
    names: "a file",
  },
  "agent.config_file": {
    of: own(readAgentFile, agentFileRule),
    meaning: "the agent's own configuration, YAML; it is read for the endpoint alone, where no setting names one",
    names: "a file",
  },
  "agent.config_key": {
    of: parsed(
      parseConfigKey,
      "names of letters, digits, underscore and hyphen, joined by dots, at most 8, for example acme.cluster.address",
    ),
    meaning:
      "which value of agent.config_file names the endpoint, by a name for each level; without it `proxy_server`, below `svc` or else at the top",
  },
  "agent.environment_file": {
    of: own(readAgentFile, agentFileRule),
    meaning: "the agent's environment, read as systemd reads it: the proxy variables of the agent and of the updater",
    names: "a file",
  },
  manager: {
    of: oneOf(["auto", "apt", "yum", "zypper"]),
    meaning: "the package manager; auto: the one whose database holds the package",
  },
  holds: {
    of: oneOf(["respect", "override"]),
    meaning: "what a hold of the package manager on the package means; override: it is lifted for the upgrade and put back",
  },
  window: {
    of: windows,
    meaning: "the local maintenance window, or several; it beats the schedule file",
  },
  "window.utc_start_hour": {
    of: hour,
    meaning: "when the local maintenance window opens, in UTC, for one hour",
  },
  "window.start": {
    of: timeOfDay,
    meaning: "when the local maintenance window opens, as the clocks of its time zone show it; in place of utc_start_hour",
  },
  "window.duration": {
    of: windowDuration,
    meaning: "how long it stays open; must be given with start",
  },
  "window.weekdays": {
    of: weekdays,
    meaning: "the days on which the local maintenance window opens: of its time zone with start, else of UTC",
  },
  "window.timezone": {
    of: timezone,
    meaning: "whose clocks show start; without it the host's own",
  },
  blackouts: {
    of: blackouts,
    meaning:
      "ranges in which nothing moves, whatever the windows say, in one year or as MM-DD in every year; `to` itself is free again",
  },
  unscheduled: {
    of: oneOf(["rescue", "wait", "anytime"]),
    meaning: "without a valid schedule: move an unhealthy agent only, nothing, or whenever there is a version",
  },
  downgrade: {
    of: oneOf(["refuse", "allow"]),
    meaning: "what an older served version means",
  },
  major: {
    of: oneOf(["any", "one-step"]),
    meaning: "how many major versions one upgrade may cross",
  },
  hold: {
    of: hold,
    meaning: "nothing moves until then; without until, until it is removed",
  },
  pin: {
    of: pin,
    meaning: "the version to move to and to stay on, whatever the channel serves, until it is removed",
  },
  "health.settle": {
    of: settle,
    meaning: "how long the agent must run well before an upgrade counts",
  },
  "health.command": {
    of: command,
    meaning: "a check that must end with status 0",
    names: "a program",
  },
  keep_previous: {
    of: oneOf(["prefer", "require", "never"]),
    meaning: "whether the previous package is kept for a rollback; require: nothing moves without it",
  },
  ca_file: {
    of: path(pathRule),
    meaning: "certificates to trust beside the system's",
    names: "a file",
  },
  allow_plain_http: {
    of: truth,
    meaning: "whether the endpoint may be an http URL of another host",
  },
  metrics_file: {
    of: parsed(
      parseMetricsFile,
      `${pathRule} whose name ends in .prom, not below /tmp or /var/tmp, for example /var/lib/svc-upgrade/metrics.prom`,
    ),
    meaning: "where each pass leaves metrics for Prometheus's textfile collector",
    names: "a file",
  },
  "notify.command": {
    of: command,
    meaning:
      "is given each event as JSON on its standard input: what became of a move, that somebody is needed, that contact is lost",
    names: "a program",
  },
  "notify.credentials": {
    of: credentials,
    meaning: "files of root's that this command may read, in the directory that its variable CREDENTIALS_DIRECTORY names",
  },
} satisfies Readonly<Record<string, Row<unknown>>>;

export type SettingKey = keyof typeof table;
export type SettingValues = { readonly [Key in SettingKey]: Of<(typeof table)[Key]["of"]> };

export const schema: { readonly [Key in SettingKey]: Row<SettingValues[Key]> } = table;

export const settingKeys: readonly SettingKey[] = Object.keys(schema) as SettingKey[];

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(schema, key);
}
