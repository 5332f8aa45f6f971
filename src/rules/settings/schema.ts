import { channelNameRule, type ChannelName } from "../channel/path.ts";
import type { Weekday } from "../window/weekly.ts";
import { readBaseUrl } from "./base-url.ts";
import type { LocalBlackout } from "./local-blackout.ts";
import { readAgentFile, readConfigKey, readScheduleFile } from "./read-agent-files.ts";
import { readBlackouts, readHold, readPin } from "./read-ranges.ts";
import {
  readChannel,
  readCommand,
  readFlag,
  readMetricsFile,
  readOneOf,
  readPackageName,
  readPath,
  readUnitName,
} from "./read-text.ts";
import { readCredentials } from "./read-credentials.ts";
import { hour, readSettle, timeOfDay, timezone, weekdays, windowDuration } from "./read-time.ts";
import { readWindows, type WindowRule } from "./read-window.ts";
import type { Read } from "./reading.ts";
import type { Blackout, Hold, Pin } from "../decide/gate-policy.ts";
import type { Activation, ConfigKey, Endpoint, FileOnHost, PackageName, Settings, UnitName } from "./settings.ts";

/** Every key of a settings file and what its value becomes. A dot is one level of the file. */
export type SettingValues = {
  readonly endpoint: Endpoint;
  readonly channel: ChannelName;
  readonly "agent.package": PackageName;
  readonly "agent.unit": UnitName;
  readonly "agent.version_command": readonly string[];
  readonly "agent.activate": Activation;
  readonly "agent.schedule_file": FileOnHost;
  readonly "agent.config_file": FileOnHost;
  readonly "agent.config_key": ConfigKey;
  readonly "agent.environment_file": FileOnHost;
  readonly manager: Settings["manager"];
  readonly holds: Settings["holds"];
  readonly window: readonly WindowRule[];
  readonly "window.utc_start_hour": number;
  readonly "window.start": number;
  readonly "window.duration": number;
  readonly "window.weekdays": readonly Weekday[];
  readonly "window.timezone": string;
  readonly blackouts: readonly (Blackout | LocalBlackout)[];
  readonly unscheduled: Settings["unscheduled"];
  readonly downgrade: Settings["downgrade"];
  readonly major: Settings["major"];
  readonly hold: Hold;
  readonly pin: Pin;
  readonly "health.settle": number;
  readonly "health.command": readonly string[];
  readonly keep_previous: Settings["keepPrevious"];
  readonly ca_file: string;
  readonly allow_plain_http: boolean;
  readonly metrics_file: string;
  readonly "notify.command": readonly string[];
  readonly "notify.credentials": Settings["notify"]["credentials"];
};

export type SettingKey = keyof SettingValues;

export type SettingSchema<Value> = {
  readonly read: Read<Value>;
  readonly allowed: string;
  readonly meaning: string;
  /** How the text of an environment variable becomes a value; some values no variable can hold. */
  readonly variable: "text" | "list" | "number" | "boolean" | "none";
  /** What somebody would have root start, read or write who could say this in root's stead. */
  readonly names?: "a program" | "a file";
};

const commandRule = "a list of a program and its arguments, for example [svc, version], or []";
const pathRule = "an absolute path of a file";
const agentFileRule =
  "an absolute path of a file, without `.` and `..`, not below /home, /root, /run, /tmp, /var/tmp, /dev, /proc or /sys, nor where keys and passwords lie";

/** The one table of the settings: reading, faults, variables and the reference in docs/settings.md all follow it. */
export const schema: { readonly [Key in SettingKey]: SettingSchema<SettingValues[Key]> } = {
  endpoint: {
    read: readBaseUrl,
    allowed: "an http or https base URL without credentials, query and fragment, for example https://proxy.example.com",
    meaning: "where the version is asked for; without it the agent's own configuration says where",
    variable: "text",
  },
  channel: { read: readChannel, allowed: channelNameRule, meaning: "the channel whose version is kept", variable: "text" },
  "agent.package": {
    read: readPackageName,
    allowed: "the name of a deb or rpm package",
    meaning: "the package that is kept on the version",
    variable: "text",
  },
  "agent.unit": {
    read: readUnitName,
    allowed: "the name of a systemd service, for example svc.service",
    meaning: "the service that runs the agent; must be given for another package",
    variable: "text",
  },
  "agent.version_command": {
    read: readCommand,
    allowed: commandRule,
    meaning:
      "prints the version of the installed binary; [] (for another package, unless given): the package database alone is asked",
    variable: "list",
    names: "a program",
  },
  "agent.activate": {
    read: readOneOf(["reload-or-restart", "restart"]),
    allowed: "reload-or-restart or restart",
    meaning: "how the service is brought to the new version; for another package restart, unless given",
    variable: "text",
  },
  "agent.schedule_file": {
    read: readScheduleFile,
    allowed:
      "an absolute path of a file in a directory of its own below /etc, /opt, /srv, /usr/local/etc, /var/lib, /var/local or /var/opt, for example /var/lib/acme/upgrade/schedule",
    meaning: "where the agent writes the maintenance schedule; `enroll` gives the file and its directory to the agent's user",
    variable: "text",
    names: "a file",
  },
  "agent.config_file": {
    read: readAgentFile,
    allowed: agentFileRule,
    meaning: "the agent's own configuration, YAML; it is read for the endpoint alone, where no setting names one",
    variable: "text",
    names: "a file",
  },
  "agent.config_key": {
    read: readConfigKey,
    allowed: "names of letters, digits, underscore and hyphen, joined by dots, at most 8, for example acme.cluster.address",
    meaning:
      "which value of agent.config_file names the endpoint, by a name for each level; without it `proxy_server`, below `svc` or else at the top",
    variable: "text",
  },
  "agent.environment_file": {
    read: readAgentFile,
    allowed: agentFileRule,
    meaning: "the agent's environment, read as systemd reads it: the proxy variables of the agent and of the updater",
    variable: "text",
    names: "a file",
  },
  manager: {
    read: readOneOf(["auto", "apt", "yum", "zypper"]),
    allowed: "auto, apt, yum or zypper",
    meaning: "the package manager; auto: the one whose database holds the package",
    variable: "text",
  },
  holds: {
    read: readOneOf(["respect", "override"]),
    allowed: "respect or override",
    meaning: "what a hold of the package manager on the package means; override: it is lifted for the upgrade and put back",
    variable: "text",
  },
  window: {
    read: readWindows,
    allowed: "a mapping of the keys below, or a list of such mappings",
    meaning: "the local maintenance window, or several; it beats the schedule file",
    variable: "none",
  },
  "window.utc_start_hour": {
    ...hour,
    meaning: "when the local maintenance window opens, in UTC, for one hour",
    variable: "number",
  },
  "window.start": {
    ...timeOfDay,
    meaning: "when the local maintenance window opens, as the clocks of its time zone show it; in place of utc_start_hour",
    variable: "text",
  },
  "window.duration": {
    ...windowDuration,
    meaning: "how long it stays open; must be given with start",
    variable: "text",
  },
  "window.weekdays": {
    ...weekdays,
    meaning: "the days on which the local maintenance window opens: of its time zone with start, else of UTC",
    variable: "list",
  },
  "window.timezone": {
    ...timezone,
    meaning: "whose clocks show start; without it the host's own",
    variable: "text",
  },
  blackouts: {
    read: readBlackouts,
    allowed: "a list of {from, to, timezone, reason}",
    meaning:
      "ranges in which nothing moves, whatever the windows say, in one year or as MM-DD in every year; `to` itself is free again",
    variable: "none",
  },
  unscheduled: {
    read: readOneOf(["rescue", "wait", "anytime"]),
    allowed: "rescue, wait or anytime",
    meaning: "without a valid schedule: move an unhealthy agent only, nothing, or whenever there is a version",
    variable: "text",
  },
  downgrade: {
    read: readOneOf(["refuse", "allow"]),
    allowed: "refuse or allow",
    meaning: "what an older served version means",
    variable: "text",
  },
  major: {
    read: readOneOf(["any", "one-step"]),
    allowed: "any or one-step",
    meaning: "how many major versions one upgrade may cross",
    variable: "text",
  },
  hold: {
    read: readHold,
    allowed: "a mapping of until and reason, both optional",
    meaning: "nothing moves until then; without until, until it is removed",
    variable: "none",
  },
  pin: {
    read: readPin,
    allowed: "a mapping of version and reason, the reason optional, for example {version: 15.4.6}",
    meaning: "the version to move to and to stay on, whatever the channel serves, until it is removed",
    variable: "none",
  },
  "health.settle": {
    read: readSettle,
    allowed: "a duration in s or m from 0s to 10m, for example 30s",
    meaning: "how long the agent must run well before an upgrade counts",
    variable: "text",
  },
  "health.command": {
    read: readCommand,
    allowed: commandRule,
    meaning: "a check that must end with status 0",
    variable: "list",
    names: "a program",
  },
  keep_previous: {
    read: readOneOf(["prefer", "require", "never"]),
    allowed: "prefer, require or never",
    meaning: "whether the previous package is kept for a rollback; require: nothing moves without it",
    variable: "text",
  },
  ca_file: {
    read: readPath,
    allowed: pathRule,
    meaning: "certificates to trust beside the system's",
    variable: "text",
    names: "a file",
  },
  allow_plain_http: {
    read: readFlag,
    allowed: "true or false",
    meaning: "whether the endpoint may be an http URL of another host",
    variable: "boolean",
  },
  metrics_file: {
    read: readMetricsFile,
    allowed: `${pathRule} whose name ends in .prom, not below /tmp or /var/tmp, for example /var/lib/svc-upgrade/metrics.prom`,
    meaning: "where each pass leaves metrics for Prometheus's textfile collector",
    variable: "text",
    names: "a file",
  },
  "notify.command": {
    read: readCommand,
    allowed: commandRule,
    meaning:
      "is given each event as JSON on its standard input: what became of a move, that somebody is needed, that contact is lost",
    variable: "list",
    names: "a program",
  },
  "notify.credentials": {
    read: readCredentials,
    allowed:
      "a mapping of at most 16 names to absolute paths of files, for example {token: /etc/svc-upgrade/token}; a name is of letters, digits, _, - and .",
    meaning: "files of root's that this command may read, in the directory that its variable CREDENTIALS_DIRECTORY names",
    variable: "none",
  },
};

export const settingKeys: readonly SettingKey[] = Object.keys(schema) as SettingKey[];

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(schema, key);
}
