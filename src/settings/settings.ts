import type { ChannelName } from "../channel/path.ts";
import type { Blackout, GatePolicy, Hold } from "../decide/policy.ts";
import type { WeeklyWindow } from "../window/weekly.ts";

declare const unitNameBrand: unique symbol;
declare const packageNameBrand: unique symbol;
declare const endpointBrand: unique symbol;

export type UnitName = string & { readonly [unitNameBrand]: true };
export type PackageName = string & { readonly [packageNameBrand]: true };
/** An http or https base URL without credentials, query or fragment, and without a trailing slash. */
export type Endpoint = string & { readonly [endpointBrand]: true };

export type Activation = "reload-or-restart" | "restart";

export type AgentSettings = {
  readonly package: PackageName;
  readonly unit: UnitName;
  /** Empty: the package database is the only witness of the version. */
  readonly versionCommand: readonly string[];
  readonly activate: Activation;
};

/** Settings after every check: nothing behind this type asks again. */
export type Settings = {
  /** Undefined: the agent's own configuration may still name it. */
  readonly endpoint: Endpoint | undefined;
  readonly channel: ChannelName;
  readonly agent: AgentSettings;
  readonly manager: "auto" | "apt" | "yum" | "zypper";
  readonly holds: "respect" | "override";
  readonly window: WeeklyWindow | undefined;
  readonly blackouts: readonly Blackout[];
  readonly unscheduled: GatePolicy["unscheduled"];
  readonly downgrade: GatePolicy["downgrade"];
  readonly major: GatePolicy["major"];
  readonly hold: Hold | undefined;
  readonly health: { readonly settleSeconds: number; readonly command: readonly string[] };
  readonly keepPrevious: "prefer" | "require" | "never";
  readonly caFile: string | undefined;
  readonly allowPlainHttp: boolean;
  readonly metricsFile: string | undefined;
};

/** Where a setting's value came from; a later kind beats an earlier one. */
export type Origin =
  | { readonly kind: "built-in" }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "environment"; readonly variable: string }
  | { readonly kind: "flag"; readonly flag: string };

/** One source's values, as read: not yet checked. */
export type Fragment = { readonly origin: Origin; readonly values: unknown };

/** One thing wrong with the settings: where, which key, what was found, what is allowed. */
export type SettingFault = {
  readonly origin: Origin;
  readonly key: string;
  readonly found: string;
  readonly allowed: string;
};

/** One row of `svc-upgrade config`: the value as it would be written in a fragment, and its origin. */
export type SettingRow = { readonly key: string; readonly value: unknown; readonly origin: Origin };

export type MergedSettings =
  | { readonly kind: "settings"; readonly settings: Settings; readonly rows: readonly SettingRow[] }
  | { readonly kind: "faults"; readonly faults: readonly SettingFault[] };
