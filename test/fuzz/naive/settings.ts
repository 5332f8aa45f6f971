import { naiveChannelName } from "./channel.ts";
import { isLoopbackHost, naiveHost, naivePort } from "./host.ts";
import { naiveInstant, naiveWeekday } from "./time.ts";
import { trimmed } from "./version.ts";

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

function command(raw: unknown): readonly string[] | undefined {
  if (!Array.isArray(raw) || raw.length > 32 || raw.some((word) => naiveLine(word) === undefined)) return undefined;
  const [program] = raw as readonly string[];
  if (program === undefined || path(program) !== undefined) return raw as readonly string[];
  return !program.includes("/") && /^\w/.test(program) ? (raw as readonly string[]) : undefined;
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

function blackouts(raw: unknown): readonly object[] | undefined {
  if (!Array.isArray(raw)) return undefined;
  const all: object[] = [];
  for (const item of raw as readonly unknown[]) {
    if (!reasoned(item, ["from", "to", "reason"])) return undefined;
    const [from, to] = [instant(item["from"]), instant(item["to"])];
    if (from === undefined || to === undefined || from >= to) return undefined;
    all.push({ from, to, reason: item["reason"] });
  }
  return all;
}

const isHour = (raw: unknown): boolean => Array.from({ length: 24 }, (_, hour) => hour).includes(raw as number);

/** Every key, in the words of docs/settings.md. */
export const naiveKeys: Readonly<Record<string, Read>> = {
  endpoint: boxed(naiveEndpoint),
  channel: boxed((raw) => (typeof raw === "string" ? naiveChannelName(raw) : undefined)),
  "agent.package": matching(/^[A-Za-z0-9][\w+.-]{0,127}$/),
  "agent.unit": matching(/^[A-Za-z0-9_][\w:.\\-]{0,200}(@[\w:.\\-]{1,40})?\.service$/),
  "agent.version_command": boxed(command),
  "agent.activate": oneOf("reload-or-restart", "restart"),
  manager: oneOf("auto", "apt", "yum", "zypper"),
  holds: oneOf("respect", "override"),
  "window.utc_start_hour": (raw) => (isHour(raw) ? { value: raw } : undefined),
  "window.weekdays": boxed(weekdays),
  blackouts: boxed(blackouts),
  unscheduled: oneOf("rescue", "wait", "anytime"),
  downgrade: oneOf("refuse", "allow"),
  major: oneOf("any", "one-step"),
  hold: boxed(hold),
  "health.settle": boxed(settle),
  "health.command": boxed(command),
  keep_previous: oneOf("prefer", "require", "never"),
  ca_file: boxed(path),
  allow_plain_http: (raw) => (raw === true || raw === false ? { value: raw } : undefined),
  metrics_file: boxed(metricsFile),
};

/** The settings that fragments give, the last one winning; undefined where anything in them is wrong. */
export function naiveSettings(fragments: readonly unknown[]): object | undefined {
  const given = new Map<string, unknown>();
  for (const values of fragments) {
    if (values === undefined || values === null) continue;
    if (!isPlain(values)) return undefined;
    for (const [key, raw] of flat(values)) {
      const value = Object.hasOwn(naiveKeys, key) ? naiveKeys[key]!(raw) : undefined;
      if (value === undefined) return undefined;
      given.set(key, value.value);
    }
  }
  const isOwn = (given.get("agent.package") ?? "svc-ent") === "svc-ent";
  const take = (key: string, fallback: unknown): unknown => given.get(key) ?? fallback;
  const unit = take("agent.unit", isOwn ? "svc.service" : undefined);
  const hour = given.get("window.utc_start_hour");
  if (unit === undefined || (given.has("window.weekdays") && hour === undefined)) return undefined;
  const endpoint = given.get("endpoint") as string | undefined;
  if (endpoint?.startsWith("http:") === true && given.get("allow_plain_http") !== true) {
    if (!isLoopbackHost(naiveHost(new URL(endpoint).hostname.replaceAll(/[[\]]/g, ""))!)) return undefined;
  }
  return {
    endpoint,
    channel: take("channel", "default"),
    agent: {
      package: take("agent.package", "svc-ent"),
      unit,
      versionCommand: take("agent.version_command", isOwn ? ["svc", "version"] : []),
      activate: take("agent.activate", isOwn ? "reload-or-restart" : "restart"),
    },
    manager: take("manager", "auto"),
    holds: take("holds", "respect"),
    window: hour === undefined ? undefined : { utcStartHour: hour, weekdays: take("window.weekdays", []) },
    blackouts: take("blackouts", []),
    unscheduled: take("unscheduled", "rescue"),
    downgrade: take("downgrade", "refuse"),
    major: take("major", "any"),
    hold: given.get("hold"),
    health: { settleSeconds: take("health.settle", 30), command: take("health.command", []) },
    keepPrevious: take("keep_previous", "prefer"),
    caFile: given.get("ca_file"),
    allowPlainHttp: take("allow_plain_http", false),
    metricsFile: given.get("metrics_file"),
  };
}

/** Levels joined by a dot; a key that holds a dot by itself is none. */
function flat(values: Plain): readonly (readonly [string, unknown])[] {
  return Object.entries(values).flatMap(([key, raw]): readonly (readonly [string, unknown])[] => {
    if (key !== "agent" && key !== "window" && key !== "health") return [[key.includes(".") ? "no key" : key, raw]];
    if (!isPlain(raw)) return [["no key", raw]];
    return Object.entries(raw).map(([below, inner]) => [below.includes(".") ? "no key" : `${key}.${below}`, inner]);
  });
}

/** The agent's `proxy_server`: undefined where none is named, null where it is wrong. */
export function naiveAgentEndpoint(config: unknown): string | null | undefined {
  if (config === undefined || config === null) return undefined;
  if (!isPlain(config)) return null;
  const inner = isPlain(config["svc"]) ? config["svc"]["proxy_server"] : undefined;
  const named = inner ?? config["proxy_server"] ?? undefined;
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
const moreTexts = ["MAJOR", "HEALTH_SETTLE", "KEEP_PREVIOUS", "CA_FILE", "METRICS_FILE"];
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
