import { naiveChannelName } from "./channel.ts";
import { isLoopbackHost, naiveHost, naivePort } from "./host.ts";
import { naiveDated, naiveInstant, naiveWeekday } from "./time.ts";
import { naiveVersion, trimmed } from "./version.ts";

type Plain = Readonly<Record<string, unknown>>;

/** A value that undefined cannot stand for: what is read may be undefined itself. */
type Read = (raw: unknown) => { readonly value: unknown } | undefined;

export function isPlain(raw: unknown): raw is Plain {
  return typeof raw === "object" && raw !== null && !Array.isArray(raw);
}

export function naiveEndpoint(raw: unknown): string | undefined {
  if (typeof raw !== "string" || !/^https?:\/\/[^/]/i.test(raw)) return undefined;
  for (const sign of raw)
    if (sign <= " " || sign === "\u007f" || "@?#\\".includes(sign) || trimmed(sign) === "") return undefined;
  const url = URL.parse(raw);
  if (url === null || naiveHost(url.hostname.replaceAll(/[[\]]/g, "")) === undefined || url.port === "0") return undefined;
  let below = url.pathname;
  while (below.endsWith("/")) below = below.slice(0, -1);
  return `${url.protocol}//${url.host}${below}`;
}

export function naiveLine(raw: unknown): string | undefined {
  if (typeof raw !== "string" || trimmed(raw) === "" || raw.length > 4095) return undefined;
  for (const sign of raw) if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(sign)) return undefined;
  return raw;
}

function path(raw: unknown): string | undefined {
  const line = naiveLine(raw);
  return line !== undefined && line.startsWith("/") && !line.endsWith("/") ? line : undefined;
}

function metricsFile(raw: unknown): string | undefined {
  const found = path(raw);
  const [first, ...others] = found?.split("/").filter((name) => name !== "") ?? [];
  const below = first === "var" ? [...others] : [first, ...others];
  return found?.endsWith(".prom") === true && (below[0] !== "tmp" || below.length < 2) ? found : undefined;
}

const closed = `
  /home /root /run /var/run /tmp /var/tmp /dev /proc /sys /etc/shadow /etc/gshadow /etc/ssh /etc/ssl/private /etc/pki/tls/private
  /var/lib/private
`;

const ofTheSystem = `
  /etc/alternatives /etc/apparmor /etc/apparmor.d /etc/apt /etc/audit /etc/bash_completion.d /etc/binfmt.d
  /etc/ca-certificates /etc/cron.d /etc/cron.daily /etc/cron.hourly /etc/cron.monthly /etc/cron.weekly /etc/cron.yearly
  /etc/crypto-policies /etc/dbus-1 /etc/default /etc/depmod.d /etc/dnf /etc/dpkg /etc/environment.d /etc/grub.d /etc/gss
  /etc/init.d /etc/kernel /etc/ld.so.conf.d /etc/logrotate.d /etc/modprobe.d /etc/modules-load.d /etc/needrestart
  /etc/network /etc/NetworkManager /etc/pam.d /etc/pki /etc/polkit-1 /etc/profile.d /etc/rc.d /etc/rc0.d /etc/rc1.d
  /etc/rc2.d /etc/rc3.d /etc/rc4.d /etc/rc5.d /etc/rc6.d /etc/rcS.d /etc/rpm /etc/rsyslog.d /etc/security /etc/selinux
  /etc/skel /etc/ssl /etc/sudoers.d /etc/svc-proxy /etc/svc-upgrade /etc/sysconfig /etc/sysctl.d /etc/systemd
  /etc/sysusers.d /etc/tmpfiles.d /etc/udev /etc/update-motd.d /etc/X11 /etc/xdg /etc/xinetd.d /etc/yum /etc/yum.repos.d
  /etc/zypp
  /var/lib/alternatives /var/lib/apt /var/lib/dbus /var/lib/dnf /var/lib/dpkg /var/lib/initramfs-tools /var/lib/misc
  /var/lib/NetworkManager /var/lib/pam /var/lib/polkit-1 /var/lib/rpm /var/lib/selinux /var/lib/sudo /var/lib/svc-proxy
  /var/lib/svc-upgrade /var/lib/svc-upgrade-decide /var/lib/systemd /var/lib/ucf /var/lib/yum /var/lib/zypp
`;

function listed(place: string, list: string): boolean {
  return list.split(/\s+/).includes(place);
}

/** Every directory that leads to it, and it itself. */
function placesOn(names: readonly string[]): readonly string[] {
  return names.map((_, index) => `/${names.slice(0, index + 1).join("/")}`);
}

function agentFile(raw: unknown): { readonly onHost: string } | undefined {
  const found = path(raw);
  const names = found?.split("/").slice(1) ?? [];
  if (found === undefined || found.length > 1024 || names.some((name) => ["", ".", ".."].includes(name))) return undefined;
  return placesOn(names).some((place) => listed(place, closed)) ? undefined : { onHost: found };
}

function scheduleFile(raw: unknown): { readonly onHost: string } | undefined {
  const found = agentFile(raw);
  const above = placesOn(found?.onHost.split("/").slice(1, -1) ?? []);
  const home = above.findIndex((place) => listed(place, "/etc /opt /srv /usr/local/etc /var/lib /var/local /var/opt"));
  const own = home === -1 ? undefined : above[home + 1];
  return own === undefined || listed(own, ofTheSystem) ? undefined : found;
}

function configKey(raw: unknown): readonly string[] | undefined {
  if (typeof raw !== "string") return undefined;
  const names = raw.split(".");
  const isName = (name: string): boolean => name.length <= 64 && /^[\w-]+$/.test(name) && !name.includes("\n");
  return names.length <= 8 && names.every(isName) ? names : undefined;
}

function command(raw: unknown): readonly string[] | undefined {
  if (!Array.isArray(raw) || raw.length > 32 || raw.some((word) => naiveLine(word) === undefined)) return undefined;
  const [program] = raw as readonly string[];
  if (program === undefined || path(program) !== undefined) return raw as readonly string[];
  return !program.includes("/") && /^\w/.test(program) ? (raw as readonly string[]) : undefined;
}

function credentials(raw: unknown): readonly object[] | undefined {
  if (!isPlain(raw) || Object.keys(raw).length > 16) return undefined;
  const all = Object.entries(raw).map(([name, file]) => ({ name, file }));
  const isRight = ({ name, file }: { readonly name: string; readonly file: unknown }): boolean =>
    name.length <= 64 &&
    /^[A-Za-z0-9_]/.test(name) &&
    !/[^A-Za-z0-9_.-]/.test(name) &&
    path(file) !== undefined &&
    !/[\s%"'\\]/u.test(String(file));
  return all.every(isRight) ? all : undefined;
}

function matching(pattern: RegExp): Read {
  return (raw) => (typeof raw === "string" && pattern.test(raw) && !raw.endsWith("\n") ? { value: raw } : undefined);
}

function oneOf(...words: readonly string[]): Read {
  return (raw) => (typeof raw === "string" && words.includes(raw) ? { value: raw } : undefined);
}

function boxed(read: (raw: unknown) => unknown): Read {
  return (raw) => {
    const value = read(raw);
    return value === undefined ? undefined : { value };
  };
}

function settle(raw: unknown): number | undefined {
  if (typeof raw !== "string") return undefined;
  const number = Number(raw.slice(0, -1));
  if (`${number}s` === raw && /^\d+s$/.test(raw) && number <= 600) return number;
  return `${number}m` === raw && /^\d+m$/.test(raw) && number <= 10 ? number * 60 : undefined;
}

function weekdays(raw: unknown): readonly number[] | undefined {
  if (!Array.isArray(raw)) return undefined;
  const days = raw.map((day) => (typeof day === "string" ? naiveWeekday(day) : undefined));
  return days.includes(undefined) ? undefined : [0, 1, 2, 3, 4, 5, 6].filter((day) => days.includes(day));
}

function instant(raw: unknown): number | undefined {
  return typeof raw === "string" ? naiveInstant(raw) : undefined;
}

/** A mapping with these keys only, `reason` a line if it is there. */
function reasoned(raw: unknown, known: readonly string[]): raw is Plain {
  if (!isPlain(raw) || Object.keys(raw).some((key) => !known.includes(key))) return false;
  return raw["reason"] === undefined || naiveLine(raw["reason"]) !== undefined;
}

function hold(raw: unknown): object | undefined {
  if (!reasoned(raw, ["until", "reason"])) return undefined;
  const until = raw["until"] === undefined ? undefined : instant(raw["until"]);
  return raw["until"] !== undefined && until === undefined ? undefined : { until, reason: raw["reason"] };
}

function pin(raw: unknown): object | undefined {
  if (!reasoned(raw, ["version", "reason"]) || typeof raw["version"] !== "string") return undefined;
  const version = naiveVersion(raw["version"]);
  return version === undefined ? undefined : { version, reason: raw["reason"] };
}

const dayOfYear = /^\d\d-\d\d$/;

function blackouts(raw: unknown): readonly object[] | undefined {
  if (!Array.isArray(raw)) return undefined;
  const all = raw.map(blackout);
  return all.some((one) => one === undefined) ? undefined : (all as readonly object[]);
}

function blackout(item: unknown): object | undefined {
  if (!reasoned(item, ["from", "to", "reason", "timezone"])) return undefined;
  const { from, to, reason, timezone } = item;
  if (timezone !== undefined && zone(timezone) === undefined) return undefined;
  if (typeof from !== "string" || typeof to !== "string" || dayOfYear.test(from) !== dayOfYear.test(to)) return undefined;
  if (dayOfYear.test(from)) {
    const isDay = [from, to].every((day) => naiveInstant(`2028-${day}`) !== undefined);
    const range = { kind: "yearly", from: monthDay(from), to: monthDay(to) };
    return isDay && from !== to ? { range, timezone, reason } : undefined;
  }
  const ends = [naiveDated(from), naiveDated(to)].map((found) => {
    if (found === undefined) return undefined;
    const isShown = found.kind === "shown" || (found.kind === "date" && timezone !== undefined);
    return isShown ? { kind: "shown", shown: found.seconds } : { kind: "instant", instant: found.seconds };
  });
  const [first, last] = ends;
  if (first === undefined || last === undefined) return undefined;
  const [start, stop] = [first.shown ?? first.instant, last.shown ?? last.instant] as readonly [number, number];
  // A zone may be 12 hours behind UTC and 14 before it.
  const apart = first.kind === last.kind ? 0 : first.kind === "shown" ? 12 * 3600 : 14 * 3600;
  if (start + apart >= stop) return undefined;
  if (first.kind === "shown" || last.kind === "shown")
    return { range: { kind: "dated", from: first, to: last }, timezone, reason };
  return timezone === undefined ? { from: start, to: stop, reason } : undefined;
}

function monthDay(text: string): object {
  const [month, date] = text.split("-").map(Number);
  return { month, date };
}

function zone(raw: unknown): string | undefined {
  if (typeof raw !== "string" || raw.length > 64 || !/^[A-Za-z]/.test(raw)) return undefined;
  return Array.from(raw).every((sign) => /[A-Za-z0-9]/.test(sign) || "+-_/".includes(sign)) ? raw : undefined;
}

function timeOfDay(raw: unknown): number | undefined {
  if (typeof raw !== "string" || raw.length !== 5 || raw[2] !== ":") return undefined;
  const seconds = naiveInstant(`2028-01-01T${raw}:00Z`);
  return seconds === undefined ? undefined : seconds - naiveInstant("2028-01-01")!;
}

function duration(raw: unknown): number | undefined {
  if (typeof raw !== "string" || raw.includes("\n")) return undefined;
  const found = /^(?:(?<hours>\d{1,2})h)?(?:(?<minutes>\d{1,4})m)?$/.exec(raw)?.groups;
  const minutes = Number(found?.["hours"] ?? 0) * 60 + Number(found?.["minutes"] ?? 0);
  return minutes >= 30 && minutes <= 24 * 60 ? minutes * 60 : undefined;
}

function windows(raw: unknown): readonly object[] | undefined {
  if (!Array.isArray(raw) || raw.length < 1 || raw.length > 20) return undefined;
  const all = raw.map((one: unknown) => {
    if (!isPlain(one)) return undefined;
    const given = new Map<string, unknown>();
    for (const [key, value] of Object.entries(one)) {
      const known = key === "" ? undefined : naiveKeys[`window.${key}`];
      if (known === undefined) return undefined;
      if (value === undefined) continue;
      const read = known(value);
      if (read === undefined) return undefined;
      given.set(`window.${key}`, read.value);
    }
    return oneWindow(given);
  });
  return all.some((one) => one === undefined) ? undefined : (all as readonly object[]);
}

/** In one way or the other, and never in both. */
function oneWindow(given: ReadonlyMap<string, unknown>): object | undefined {
  const local = ["window.start", "window.duration", "window.timezone"].filter((key) => given.has(key));
  const weekdaysOf = given.get("window.weekdays") ?? [];
  if (given.has("window.utc_start_hour"))
    return local.length > 0 ? undefined : { utcStartHour: given.get("window.utc_start_hour"), weekdays: weekdaysOf };
  if (!given.has("window.start") || !given.has("window.duration")) return undefined;
  return {
    start: given.get("window.start"),
    durationSeconds: given.get("window.duration"),
    weekdays: weekdaysOf,
    timezone: given.get("window.timezone"),
  };
}

/** What a file that says when the window opens takes away of what weaker ones said. */
const instead: ReadonlyMap<string, readonly string[]> = new Map([
  ["window", ["window.utc_start_hour", "window.start", "window.duration", "window.timezone", "window.weekdays"]],
  ["window.utc_start_hour", ["window", "window.start", "window.duration", "window.timezone"]],
  ["window.start", ["window", "window.utc_start_hour"]],
]);

const isHour = (raw: unknown): boolean => Array.from({ length: 24 }, (_, hour) => hour).includes(raw as number);

/** Every key, in the words of docs/settings.md. */
export const naiveKeys: Readonly<Record<string, Read>> = {
  endpoint: boxed(naiveEndpoint),
  channel: boxed((raw) => (typeof raw === "string" ? naiveChannelName(raw) : undefined)),
  "agent.package": matching(/^[A-Za-z0-9][\w+.-]{0,127}$/),
  "agent.unit": matching(/^[A-Za-z0-9_][\w:.\\-]{0,200}(@[\w:.\\-]{1,40})?\.service$/),
  "agent.version_command": boxed(command),
  "agent.activate": oneOf("reload-or-restart", "restart"),
  "agent.schedule_file": boxed(scheduleFile),
  "agent.config_file": boxed(agentFile),
  "agent.config_key": boxed(configKey),
  "agent.environment_file": boxed(agentFile),
  manager: oneOf("auto", "apt", "yum", "zypper"),
  holds: oneOf("respect", "override"),
  "window.utc_start_hour": (raw) => (isHour(raw) ? { value: raw } : undefined),
  window: boxed(windows),
  "window.weekdays": boxed(weekdays),
  "window.start": boxed(timeOfDay),
  "window.duration": boxed(duration),
  "window.timezone": boxed(zone),
  blackouts: boxed(blackouts),
  unscheduled: oneOf("rescue", "wait", "anytime"),
  downgrade: oneOf("refuse", "allow"),
  major: oneOf("any", "one-step"),
  hold: boxed(hold),
  pin: boxed(pin),
  "health.settle": boxed(settle),
  "health.command": boxed(command),
  keep_previous: oneOf("prefer", "require", "never"),
  ca_file: boxed(path),
  allow_plain_http: (raw) => (raw === true || raw === false ? { value: raw } : undefined),
  metrics_file: boxed(metricsFile),
  "notify.command": boxed(command),
  "notify.credentials": boxed(credentials),
};

/** The settings that fragments give, the last one winning; undefined where anything in them is wrong. */
export function naiveSettings(fragments: readonly unknown[]): object | undefined {
  const given = new Map<string, unknown>();
  for (const values of fragments) {
    if (values === undefined || values === null) continue;
    if (!isPlain(values)) return undefined;
    const all = flat(values);
    for (const [key] of all) for (const other of instead.get(key) ?? []) given.delete(other);
    for (const [key, raw] of all) {
      const value = Object.hasOwn(naiveKeys, key) ? naiveKeys[key]!(raw) : undefined;
      if (value === undefined) return undefined;
      given.set(key, value.value);
    }
  }
  const isOwn = (given.get("agent.package") ?? "svc-ent") === "svc-ent";
  const take = (key: string, fallback: unknown): unknown => given.get(key) ?? fallback;
  const unit = take("agent.unit", isOwn ? "svc.service" : undefined);
  const ofWindow = [...given.keys()].filter((key) => key.startsWith("window."));
  const single = oneWindow(given);
  if (unit === undefined || (ofWindow.length > 0 && (given.has("window") || single === undefined))) return undefined;
  const rules = (given.get("window") as readonly object[] | undefined) ?? (single === undefined ? undefined : [single]);
  const ranges = take("blackouts", []) as readonly object[];
  const endpoint = given.get("endpoint") as string | undefined;
  if (endpoint?.startsWith("http:") === true && given.get("allow_plain_http") !== true) {
    if (!isLoopbackHost(naiveHost(new URL(endpoint).hostname.replaceAll(/[[\]]/g, ""))!)) return undefined;
  }
  const file = (key: string, fallback: string): string => (take(key, { onHost: fallback }) as { readonly onHost: string }).onHost;
  const schedule = file("agent.schedule_file", "/etc/svc-upgrade.d/schedule");
  const config = file("agent.config_file", "/etc/svc.yaml");
  const environment = file("agent.environment_file", "/etc/default/svc");
  const directory = schedule.slice(0, schedule.lastIndexOf("/"));
  if ([config, environment].some((one) => one === directory || one.startsWith(`${directory}/`))) return undefined;
  return {
    endpoint,
    channel: take("channel", "default"),
    agent: {
      package: take("agent.package", "svc-ent"),
      unit,
      versionCommand: take("agent.version_command", isOwn ? ["svc", "version"] : []),
      activate: take("agent.activate", isOwn ? "reload-or-restart" : "restart"),
    },
    agentFiles: {
      schedule: { onHost: schedule },
      config: { onHost: config },
      configKey: given.get("agent.config_key"),
      environment: { onHost: environment },
    },
    manager: take("manager", "auto"),
    holds: take("holds", "respect"),
    window: rules && {
      hourly: rules.filter((rule) => "utcStartHour" in rule),
      local: rules.filter((rule) => "start" in rule),
      spans: [],
    },
    blackouts: ranges.filter((range) => "from" in range),
    localBlackouts: ranges.filter((range) => "range" in range),
    unscheduled: take("unscheduled", "rescue"),
    downgrade: take("downgrade", "refuse"),
    major: take("major", "any"),
    hold: given.get("hold"),
    pin: given.get("pin"),
    health: { settleSeconds: take("health.settle", 30), command: take("health.command", []) },
    keepPrevious: take("keep_previous", "prefer"),
    caFile: given.get("ca_file"),
    allowPlainHttp: take("allow_plain_http", false),
    metricsFile: given.get("metrics_file"),
    notify: { command: take("notify.command", []), credentials: take("notify.credentials", []) },
  };
}

/** Levels joined by a dot; a key that holds a dot by itself is none. */
function flat(values: Plain): readonly (readonly [string, unknown])[] {
  return Object.entries(values).flatMap(([key, raw]): readonly (readonly [string, unknown])[] => {
    if (!["agent", "window", "health", "notify"].includes(key)) return [[key.includes(".") ? "no key" : key, raw]];
    if (key === "window" && Array.isArray(raw)) return [[key, raw]];
    if (!isPlain(raw)) return [["no key", raw]];
    return Object.entries(raw).map(([below, inner]) => [below.includes(".") ? "no key" : `${key}.${below}`, inner]);
  });
}

const notAMapping: unique symbol = Symbol("not a mapping");

function under(here: unknown, [name, ...below]: readonly string[]): unknown {
  if (here === undefined || here === null || name === undefined) return here ?? undefined;
  if (!isPlain(here)) return notAMapping;
  return under(Object.getOwnPropertyDescriptor(here, name)?.value, below);
}

/** The agent's `proxy_server`: undefined where none is named, null where it is wrong. */
export function naiveAgentEndpoint(config: unknown, key?: readonly string[]): string | null | undefined {
  if (config === undefined || config === null) return undefined;
  if (!isPlain(config)) return null;
  const inner = isPlain(config["svc"]) ? config["svc"]["proxy_server"] : undefined;
  const named = key === undefined ? (inner ?? config["proxy_server"] ?? undefined) : under(config, key);
  if (named === notAMapping) return null;
  if (named === undefined) return undefined;
  if (typeof named !== "string") return null;
  if (!named.includes("://")) {
    const port = named.slice(named.lastIndexOf(":") + 1);
    if (!named.includes(":") || naivePort(port) === undefined || named.includes("/")) return null;
    return naiveEndpoint(`https://${named}`) ?? null;
  }
  const endpoint = naiveEndpoint(named);
  return endpoint?.startsWith("https:") === true && endpoint.split("/").length === 3 ? endpoint : null;
}

const textVariables = [
  "ENDPOINT",
  "CHANNEL",
  "AGENT_PACKAGE",
  "AGENT_UNIT",
  "AGENT_ACTIVATE",
  "MANAGER",
  "HOLDS",
  "UNSCHEDULED",
  "DOWNGRADE",
];
const files = ["AGENT_SCHEDULE_FILE", "AGENT_CONFIG_FILE", "AGENT_CONFIG_KEY", "AGENT_ENVIRONMENT_FILE"];
const moreTexts = [
  ...files,
  "MAJOR",
  "HEALTH_SETTLE",
  "KEEP_PREVIOUS",
  "CA_FILE",
  "METRICS_FILE",
  "WINDOW_START",
  "WINDOW_DURATION",
  "WINDOW_TIMEZONE",
];
const lists = ["AGENT_VERSION_COMMAND", "WINDOW_WEEKDAYS", "HEALTH_COMMAND"];
const levels = ["agent", "window", "health"];

/** The fragments that variables make, in the order of their names; undefined where one of ours is not known. */
export function naiveEnvironment(environment: Readonly<Record<string, string>>): readonly object[] | undefined {
  const fragments: object[] = [];
  for (const variable of Object.keys(environment).toSorted()) {
    const text = trimmed(environment[variable]!);
    if (!variable.startsWith("SVC_UPGRADE_") || text === "") continue;
    const name = variable.slice("SVC_UPGRADE_".length);
    if (name === "LOG_LEVEL" || name === "LOG_FORMAT") continue;
    let value: unknown;
    if ([...textVariables, ...moreTexts].includes(name)) value = text;
    else if (lists.includes(name)) value = text.split(/\s+/);
    else if (name === "WINDOW_UTC_START_HOUR") value = /^[0-9]{1,9}$/.test(text) ? Number(text) : text;
    else if (name === "ALLOW_PLAIN_HTTP") value = text === "true" ? true : text === "false" ? false : text;
    else return undefined;
    const key = name.toLowerCase();
    const level = levels.find((candidate) => key.startsWith(`${candidate}_`));
    fragments.push(level === undefined ? { [key]: value } : { [level]: { [key.slice(level.length + 1)]: value } });
  }
  return fragments;
}
