import { channelNameRule, type ChannelName } from "../channel/path.ts";
import type { Weekday } from "../window/weekly.ts";
import { readEndpoint } from "./endpoint.ts";
import { readBlackouts, readHold } from "./read-ranges.ts";
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
import { readHour, readSettle, readWeekdays } from "./read-time.ts";
import type { Read } from "./reading.ts";
import type { Blackout, Hold } from "../decide/policy.ts";
import type { Activation, Endpoint, PackageName, Settings, UnitName } from "./settings.ts";

/** Every key of a settings file and what its value becomes. A dot is one level of the file. */
export type SettingValues = {
  readonly endpoint: Endpoint;
  readonly channel: ChannelName;
  readonly "agent.package": PackageName;
  readonly "agent.unit": UnitName;
  readonly "agent.version_command": readonly string[];
  readonly "agent.activate": Activation;
  readonly manager: Settings["manager"];
  readonly holds: Settings["holds"];
  readonly "window.utc_start_hour": number;
  readonly "window.weekdays": readonly Weekday[];
  readonly blackouts: readonly Blackout[];
  readonly unscheduled: Settings["unscheduled"];
  readonly downgrade: Settings["downgrade"];
  readonly major: Settings["major"];
  readonly hold: Hold;
  readonly "health.settle": number;
  readonly "health.command": readonly string[];
  readonly keep_previous: Settings["keepPrevious"];
  readonly ca_file: string;
  readonly allow_plain_http: boolean;
  readonly metrics_file: string;
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

/** The one table of the settings: reading, faults, variables and the reference in docs/settings.md all follow it. */
export const schema: { readonly [Key in SettingKey]: SettingSchema<SettingValues[Key]> } = {
  endpoint: {
    read: readEndpoint,
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
  "window.utc_start_hour": {
    read: readHour,
    allowed: "a whole number from 0 to 23",
    meaning: "when the local maintenance window opens, in UTC, for one hour; it beats the schedule file",
    variable: "number",
  },
  "window.weekdays": {
    read: readWeekdays,
    allowed: "a list of English weekdays, short or long, for example [Tue, Saturday]; empty: every day",
    meaning: "the days on which the local maintenance window opens",
    variable: "list",
  },
  blackouts: {
    read: readBlackouts,
    allowed: "a list of {from, to, reason}",
    meaning: "ranges in which nothing moves, whatever the windows say; `to` itself is free again",
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
};

export const settingKeys: readonly SettingKey[] = Object.keys(schema) as SettingKey[];

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(schema, key);
}
