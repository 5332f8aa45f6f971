import { quote } from "../text/quote.ts";
import { nearest } from "../text/nearest.ts";
import type { Mapping } from "../shape/reading.ts";
import type { Shape } from "../shape/shape.ts";
import { schema, settingKeys, type SettingKey } from "./schema.ts";
import type { Fragment, SettingFault } from "./settings.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export type EnvironmentSettings = { readonly fragments: readonly Fragment[]; readonly faults: readonly SettingFault[] };

/**
 * Makes one fragment for each variable, so that a fault names it. An empty variable counts as unset. Variables that name a program or a file count
 * only if root set them: a user who may run one command through sudo is not root, whatever variables sudo keeps.
 */
export function environmentFragments(environment: Environment): EnvironmentSettings {
  const fragments: Fragment[] = [];
  const faults: SettingFault[] = [];
  const caller = callerIn(environment);
  for (const variable of Object.keys(environment).toSorted()) {
    const text = environment[variable]?.trim() ?? "";
    if (!variable.startsWith(prefix) || text === "" || notSettings.includes(variable)) continue;
    const key = keys.get(variable);
    const names = key === undefined ? undefined : schema[key].names;
    if (key === undefined) faults.push(unknownVariable(variable));
    else if (names !== undefined && caller !== undefined) faults.push(namedByCaller({ variable, key, names, caller }));
    else fragments.push({ origin: { kind: "environment", variable }, values: nested(key, valueOf(key, text)) });
  }
  return { fragments, faults };
}

/** The variable of a key: `agent.package` gives SVC_UPGRADE_AGENT_PACKAGE. */
export function variableOf(key: SettingKey): string {
  return `${prefix}${key.toUpperCase().replaceAll(".", "_")}`;
}

const prefix = "SVC_UPGRADE_";

/** Variables that set up the log, which must work before the settings are read. */
const notSettings: readonly string[] = ["SVC_UPGRADE_LOG_LEVEL", "SVC_UPGRADE_LOG_FORMAT"];

const keys: ReadonlyMap<string, SettingKey> = new Map(
  settingKeys.filter((key) => sayableIn(schema[key].of) !== "nothing").map((key) => [variableOf(key), key]),
);

/** The user behind sudo, doas or pkexec, unless it is root. Each of these programs names that user. */
function callerIn({ SUDO_UID, DOAS_USER, PKEXEC_UID }: Environment): string | undefined {
  if (isSetBesides(SUDO_UID, "0")) return `user ${quote(SUDO_UID)} through sudo`;
  if (isSetBesides(DOAS_USER, "root")) return `${quote(DOAS_USER)} through doas`;
  return isSetBesides(PKEXEC_UID, "0") ? `user ${quote(PKEXEC_UID)} through pkexec` : undefined;
}

function isSetBesides(value: string | undefined, root: string): value is string {
  return value !== undefined && value !== "" && value !== root;
}

type NamedByCaller = { readonly variable: string; readonly key: SettingKey; readonly names: string; readonly caller: string };

function namedByCaller({ variable, key, names, caller }: NamedByCaller): SettingFault {
  return {
    origin: { kind: "environment", variable },
    key,
    found: `${names} that ${caller} names`,
    allowed: "a value that root has written to a file, for example /etc/svc-upgrade/50-local.yaml",
  };
}

/** A value of the wrong type stays a text, which the key then refuses. */
function valueOf(key: SettingKey, text: string): unknown {
  switch (sayableIn(schema[key].of)) {
    case "list":
      return text.split(/\s+/);
    case "number":
      return /^\d{1,9}$/.test(text) ? Number(text) : text;
    case "boolean":
      return text === "true" || text === "false" ? text === "true" : text;
    case "text":
    case "nothing":
      return text;
  }
}

/** In which form a variable can hold the key's value. Some values fit into no variable. */
export function sayableIn({ form }: Shape<unknown>): "text" | "list" | "number" | "boolean" | "nothing" {
  switch (form.kind) {
    case "whole":
      return "number";
    case "truth":
      return "boolean";
    case "record":
    case "named":
      return "nothing";
    case "list":
      return sayableIn(form.of) === "text" ? "list" : "nothing";
    case "coded":
    case "refined":
      return sayableIn(form.of);
    default:
      return "text";
  }
}

function nested(key: SettingKey, value: unknown): Mapping {
  return key.split(".").reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Mapping;
}

/** Does not show the variable's value, which may be a secret. */
function unknownVariable(variable: string): SettingFault {
  const known = [...keys.keys()];
  const meant = nearest(
    variable.slice(prefix.length),
    known.map((name) => name.slice(prefix.length)),
  );
  return {
    origin: { kind: "environment", variable },
    key: "",
    found: meant === undefined ? "unknown variable" : `unknown variable, did you mean ${prefix}${meant}?`,
    allowed: known.join(", "),
  };
}
