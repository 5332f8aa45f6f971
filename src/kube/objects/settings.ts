import type { ChannelName } from "../../rules/channel/path.ts";
import type { Blackout } from "../../rules/decide/gate-policy.ts";
import { parseAddress, withPort, type HostPort } from "../../rules/route/host-port.ts";
import { mergeSettings } from "../../rules/settings/merge.ts";
import { nearest } from "../../rules/text/nearest.ts";
import { allowedFor } from "../../rules/shape/allowed.ts";
import { check, unknownKey } from "../../rules/shape/check.ts";
import { describe, isMapping, type Mapping, type Refusal } from "../../rules/shape/reading.ts";
import { keysOf, maybe, oneOf, parsed, record, type Of } from "../../rules/shape/shape.ts";
import type { Endpoint, NeededZone, Origin, SettingFault, Settings } from "../../rules/settings/settings.ts";
import type { Window } from "../../rules/window/window.ts";
import type { ObjectName, ObjectPolicy, Wrong } from "./object-facts.ts";
import { apiServerKeys, label, outsideOfPod, subdomain, type ApiServerSettings, type InPod } from "./fields.ts";
import type { TagRule } from "./image.ts";
import { labelled, updaterLabel, type LabelledKeys } from "./labelled-keys.ts";
import { namedObject, namedObjects, type ObjectKeys } from "./named-objects.ts";
import { registry, usualRegistry, type RegistrySettings } from "./registry-settings.ts";

/** Whether the updater moves objects, or only says what it would do. */
export type Acting = "moves" | "looks";

/** The settings of one object; an updater's objects differ only in `object`, `tag`, `channel` and the window. */
export type UpdaterSettings = {
  readonly object: ObjectName;
  readonly entry: ObjectPolicy["entry"];
  readonly tag: TagRule;
  readonly mode: ObjectPolicy["mode"];
  readonly act: Acting;
  readonly scheduleSecret: string | undefined;
  readonly endpoint: Endpoint;
  readonly channel: ChannelName;
  readonly caFile: string | undefined;
  readonly allowPlainHttp: boolean;
  readonly apiServer: ApiServerSettings;
  /** The address that serves /healthz and /readyz; undefined for none. */
  readonly listen: HostPort | undefined;
  /** The name of the Lease by which updaters choose a leader; undefined if there is only one updater. */
  readonly lease: string | undefined;
  readonly registry: RegistrySettings;
  readonly deadlines: Deadlines;
  readonly rules: Pick<
    Settings,
    "window" | "blackouts" | "localBlackouts" | "unscheduled" | "downgrade" | "major" | "hold" | "pin"
  >;
  readonly zones: readonly NeededZone[];
  readonly isOfChart: boolean;
  /** An annotation with an invalid value. */
  readonly wrong?: Wrong;
};

/** All objects of a namespace with this updater's label. */
export type Labelled = {
  readonly namespace: string;
  /** The label's value. */
  readonly updater: string;
  /** The container of objects without an annotation that names another. */
  readonly container: string;
  readonly usual: Omit<UpdaterSettings, "object">;
};

export type EachObject = readonly [UpdaterSettings, ...UpdaterSettings[]];

export type Surrounding = InPod & { readonly origin: Origin; readonly isOfChart?: boolean };

/** The objects that an updater follows. */
export type Followed =
  /** The objects in the order of the file. They move in this order. */
  { readonly kind: "settings"; readonly settings: EachObject } | { readonly kind: "labelled"; readonly labelled: Labelled };

export type ReadUpdaterSettings = Followed | { readonly kind: "faults"; readonly faults: readonly SettingFault[] };

/** The keys that hosts have too, with the same rules. */
const shared = [
  "endpoint",
  "channel",
  "window",
  "blackouts",
  "unscheduled",
  "downgrade",
  "major",
  "hold",
  "pin",
  "ca_file",
  "allow_plain_http",
] as const;

const seconds = parsed((text) => {
  const [, digits, unit] = /^([1-9]\d{0,4})([smh])$/.exec(text) ?? [];
  const found = Number(digits) * (unit === "s" ? 1 : unit === "m" ? 60 : 3600);
  return found <= 86_400 ? found : undefined;
}, "a whole number with s, m or h, at most 24h, for example 30m");

const listen = parsed((text) => {
  const address = parseAddress(text);
  return address === undefined ? undefined : withPort(address, defaultPort);
}, "an IP address with a port, for example 0.0.0.0:8080");

const deadline = maybe(seconds);

const ownKeys = record({
  object: maybe(namedObject),
  objects: maybe(namedObjects),
  labelled: maybe(labelled),
  mode: maybe(oneOf(["auto", "update", "report"])),
  schedule_secret: maybe(subdomain),
  api_server: maybe(apiServerKeys),
  listen: maybe(listen),
  lease: maybe(subdomain),
  registry: maybe(registry),
  deadlines: maybe(
    record({
      look: deadline,
      ask: deadline,
      gather: deadline,
      unhealthy: deadline,
      remind: deadline,
      health: deadline,
      settle: deadline,
      free: deadline,
      lease: deadline,
    } satisfies { readonly [Key in keyof Deadlines]: unknown }),
  ),
});
type Own = Of<typeof ownKeys>;

const defaultPort = 8080;
/** All deadlines, in seconds. */
const defaultDeadlines = {
  /** The longest time between two looks at an object. */
  look: 1800,
  /** The shortest time between two questions to the channel. */
  ask: 60,
  /** Events within this time cause one look. */
  gather: 2,
  /** Pods that are unready for longer make the agent ill. A new version may rescue it. */
  unhealthy: 600,
  /** How often a message that needs a person is repeated. */
  remind: 2700,
  /** A rollout without progress for this long is stuck. */
  health: 600,
  /** All pods of a new version have to stay well for this long. */
  settle: 30,
  /** A stuck pod of a failed version is deleted after this. */
  free: 60,
  /** A leader that does not renew the Lease for this long has lost it. */
  lease: 30,
};
export type Deadlines = Readonly<Record<keyof typeof defaultDeadlines, number>>;

/** Reads every setting, or tells every fault at once. */
export function readUpdaterSettings(raw: unknown, surrounding: Surrounding): ReadUpdaterSettings {
  const { origin } = surrounding;
  const fault = ({ at, found, allowed }: Refusal): SettingFault => ({ origin, key: at.slice(1), found, allowed });
  if (!isMapping(raw)) return { kind: "faults", faults: [fault({ at: "", found: describe(raw), allowed: keys.join(", ") })] };
  const reading = check(ownKeys, chosen(raw, ownNames));
  const values = reading.kind === "value" ? reading.value : undefined;
  const refusals = reading.kind === "refused" ? reading.refusals : [];
  const faults = [...unknownIn(raw), ...refusals, ...missing(raw, values, surrounding)].map(fault);
  const common = mergeSettings([{ origin, values: chosen(raw, shared) }], faults);
  const each = namedIn(values).map((named) => ({ named, merged: withOwn(chosen(raw, shared), named, origin) }));
  const all = [
    ...(common.kind === "faults" ? common.faults : []),
    ...each.flatMap(({ merged }) => (merged.kind === "faults" ? merged.faults : [])),
  ];
  const [first, ...others] = each.flatMap(({ named, merged }) =>
    values === undefined || merged.kind === "faults" ? [] : [settingsOf(values, { ...merged, ...named, surrounding })],
  );
  if (all.length > 0 || first === undefined) return { kind: "faults", faults: all };
  return values?.labelled === undefined
    ? { kind: "settings", settings: [first, ...others] }
    : { kind: "labelled", labelled: labelledOf(values.labelled, first) };
}

function labelledOf({ updater }: LabelledKeys, { object, ...usual }: UpdaterSettings): Labelled {
  return { namespace: object.namespace, updater, container: object.container, usual };
}

/** The settings that all objects share, however they are found. */
export function commonOf(followed: Followed): Omit<UpdaterSettings, "object"> & { readonly namespace: string } {
  if (followed.kind === "labelled") return { ...followed.labelled.usual, namespace: followed.labelled.namespace };
  const [first] = followed.settings;
  return { ...first, namespace: first.object.namespace };
}

/** An object's keys, and their path in the file. */
type NamedObject = { readonly at: string; readonly keys: ObjectKeys };

function namedIn(own: Own | undefined): readonly NamedObject[] {
  if (own?.labelled !== undefined) return [{ at: "labelled", keys: usualKeys(own.labelled) }];
  if (own?.objects !== undefined) return own.objects.map((keys, index) => ({ at: `objects[${index}]`, keys }));
  return own?.object === undefined ? [] : [{ at: "object", keys: own.object }];
}

/** Settings as if for one object. The API server gives the kind and the name of each. */
function usualKeys({ namespace, container, tag }: LabelledKeys): ObjectKeys {
  const none = { channel: undefined, window: undefined };
  return { ...none, namespace, kind: "StatefulSet", name: "", container: container ?? usualContainer, tag };
}

/** The name of the container in the chart. */
const usualContainer = "svc";

type OfOne =
  | { readonly kind: "faults"; readonly faults: readonly SettingFault[] }
  | { readonly kind: "settings"; readonly settings: Settings; readonly zones: readonly NeededZone[] };

/** The shared keys, overridden by one object's own. Reports only faults of its own keys. */
function withOwn(common: Mapping, { at, keys: { channel, window } }: NamedObject, origin: Origin): OfOne {
  const own = withoutGaps({ channel, window });
  const isOwn = ({ key }: { readonly key: string }): boolean => Object.keys(own).includes(key.replace(/[.[].*$/, ""));
  const located = <Found extends { readonly key: string }>(found: Found): Found =>
    isOwn(found) ? { ...found, key: `${at}.${found.key}` } : found;
  const merged = mergeSettings([{ origin, values: { ...common, ...own } }]);
  if (merged.kind === "faults") return { kind: "faults", faults: merged.faults.filter(isOwn).map(located) };
  return { ...merged, zones: merged.zones.map(located) };
}

const ownNames = keysOf(ownKeys);
const keys: readonly string[] = [...ownNames, ...shared];

function chosen(raw: Mapping, names: readonly string[]): Mapping {
  return Object.fromEntries(Object.entries(raw).filter(([name]) => names.includes(name)));
}

function unknownIn(raw: Mapping): readonly Refusal[] {
  const unknown = Object.keys(raw).filter((name) => !keys.includes(name));
  return unknown.map((name) => ({ at: `.${name}`, found: unknownKey(nearest(name, keys)), allowed: keys.join(", ") }));
}

/** Faults for keys that neither the file nor the pod gives. */
function missing(raw: Mapping, own: Own | undefined, { namespace, apiServer }: Surrounding): readonly Refusal[] {
  const lacks = (isThere: boolean, at: string, allowed: string): readonly Refusal[] =>
    isThere ? [] : [{ at, found: "nothing", allowed }];
  return [
    ...objectLacks(own, namespace),
    ...lacks(
      raw["endpoint"] !== undefined,
      ".endpoint",
      "the base URL of the version server, for example https://proxy.example.com",
    ),
    ...(own === undefined ? [] : lacks((own.api_server ?? apiServer) !== undefined, ".api_server", outsideOfPod)),
  ];
}

/** The faults if the object is not named in exactly one way. */
function objectLacks(own: Own | undefined, namespace: string | undefined): readonly Refusal[] {
  if (own === undefined) return [];
  const [first] = namedIn(own);
  if (first === undefined)
    return [{ at: ".object", found: "nothing", allowed: `${allowedFor(namedObject)}; of several: \`objects\`, or \`labelled\`` }];
  if (own.labelled !== undefined && (own.object ?? own.objects) !== undefined) {
    const other = own.object === undefined ? "objects" : "object";
    const allowed = `one of both: remove \`labelled\`, or remove \`${other}\` and give its objects the label ${updaterLabel}=${own.labelled.updater}`;
    return [{ at: ".labelled", found: `beside ${other}`, allowed }];
  }
  if (own.object !== undefined && own.objects !== undefined) {
    return [{ at: ".object", found: "beside objects", allowed: "one of both: `object`, or `objects` with all of them" }];
  }
  return (first.keys.namespace ?? namespace) === undefined
    ? [{ at: `.${first.at}.namespace`, found: "nothing", allowed: allowedFor(label) }]
    : [];
}

type Merged = NamedObject & {
  readonly settings: Settings;
  readonly zones: readonly NeededZone[];
  readonly surrounding: Surrounding;
};

function settingsOf(own: Own, { at: entry, keys: object, settings, zones, surrounding }: Merged): UpdaterSettings {
  const { api_server: given, deadlines = {} } = own;
  const { window, blackouts, localBlackouts, unscheduled, downgrade, major, hold, pin } = settings;
  const { kind, name, container } = object;
  return {
    object: { namespace: object.namespace ?? (surrounding.namespace as string), kind, name, container },
    entry,
    tag: object.tag ?? ("{version}" as TagRule),
    mode: own.mode ?? "auto",
    act: own.mode === "report" ? "looks" : "moves",
    scheduleSecret: own.schedule_secret,
    endpoint: settings.endpoint as Endpoint,
    channel: settings.channel,
    caFile: settings.caFile,
    allowPlainHttp: settings.allowPlainHttp,
    apiServer: given ?? (surrounding.apiServer as ApiServerSettings),
    listen: own.listen,
    lease: own.lease,
    registry: own.registry ?? usualRegistry,
    deadlines: { ...defaultDeadlines, ...withoutGaps(deadlines) },
    rules: { window, blackouts, localBlackouts, unscheduled, downgrade, major, hold, pin },
    zones,
    isOfChart: surrounding.isOfChart ?? false,
  };
}

function withoutGaps<Values extends object>(given: Values): { readonly [Key in keyof Values]?: Exclude<Values[Key], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never;
}

/** A window lasts an hour, so a move must fit into 45 minutes. */
const moveTakes: ObjectPolicy["moveTakes"] = { atLeastSeconds: 600, atMostSeconds: 2700 };

/** The settings' windows and blackouts around now, as instants. */
type AroundNow = { readonly spans: readonly Window[]; readonly blackouts: readonly Blackout[] };

/** The policy for a decision, with the local times around now. */
export function policyOf(settings: UpdaterSettings, { spans, blackouts }: AroundNow): ObjectPolicy {
  const { object, entry, tag, mode, scheduleSecret, deadlines, rules, isOfChart, wrong } = settings;
  const { window, unscheduled, downgrade, major, hold, pin } = rules;
  return {
    object,
    entry,
    tag,
    mode,
    scheduleSecret,
    unhealthySeconds: deadlines.unhealthy,
    asked: { when: "timer" },
    hold,
    pin,
    window: window && { ...window, spans },
    blackouts: [...rules.blackouts, ...blackouts],
    unscheduled,
    downgrade,
    major,
    moveTakes,
    isOfChart,
    ...(wrong === undefined ? {} : { wrong }),
  };
}
