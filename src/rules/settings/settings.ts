import type { ChannelName } from "../channel/path.ts";
import type { Blackout, GatePolicy, Hold, Pin } from "../decide/gate-policy.ts";
import type { OwnWindows } from "../window/own.ts";
import type { LocalBlackout } from "./local-blackout.ts";

declare const unitNameBrand: unique symbol;
declare const packageNameBrand: unique symbol;
declare const endpointBrand: unique symbol;
declare const configKeyBrand: unique symbol;

export type UnitName = string & { readonly [unitNameBrand]: true };
export type PackageName = string & { readonly [packageNameBrand]: true };
/** An http or https base URL without credentials, query, fragment or trailing slash. */
export type Endpoint = string & { readonly [endpointBrand]: true };

export type Activation = "reload-or-restart" | "restart";

export type AgentSettings = {
  readonly package: PackageName;
  readonly unit: UnitName;
  /** If empty, only the package database tells the version. */
  readonly versionCommand: readonly string[];
  readonly activate: Activation;
};

/** A path on this host. Below another root the file is elsewhere, so the path cannot be opened as it is. */
export type FileOnHost = { readonly onHost: string };

/** The names that lead down to a value in the agent's configuration. */
export type ConfigKey = readonly string[] & { readonly [configKeyBrand]: true };

/** The agent's files that the updater reads, and the one file that it writes. */
export type AgentFiles = {
  readonly schedule: FileOnHost;
  readonly config: FileOnHost;
  /** Undefined means `proxy_server`, below `svc` or at the top. */
  readonly configKey: ConfigKey | undefined;
  readonly environment: FileOnHost;
};

/** Checked settings. Nobody behind this type checks them again. */
export type Settings = {
  /** Undefined if only the agent's own configuration may name it. */
  readonly endpoint: Endpoint | undefined;
  readonly channel: ChannelName;
  readonly agent: AgentSettings;
  readonly agentFiles: AgentFiles;
  readonly manager: "auto" | "apt" | "yum" | "zypper";
  readonly holds: "respect" | "override";
  readonly window: OwnWindows | undefined;
  readonly blackouts: readonly Blackout[];
  /** Blackouts that depend on a time zone. Their instants are among the other blackouts. */
  readonly localBlackouts: readonly LocalBlackout[];
  readonly unscheduled: GatePolicy["unscheduled"];
  readonly downgrade: GatePolicy["downgrade"];
  readonly major: GatePolicy["major"];
  readonly hold: Hold | undefined;
  readonly pin: Pin | undefined;
  readonly health: { readonly settleSeconds: number; readonly command: readonly string[] };
  readonly keepPrevious: "prefer" | "require" | "never";
  readonly caFile: string | undefined;
  readonly allowPlainHttp: boolean;
  readonly metricsFile: string | undefined;
  readonly notify: NotifySettings;
};

/** Who gets notifications. */
export type NotifySettings = {
  /** Empty means that nobody gets any. */
  readonly command: readonly string[];
  readonly credentials: readonly Credential[];
};

/** A file that a unit may read under that name, whatever user it runs as. */
export type Credential = { readonly name: string; readonly file: string };

/** Where a setting's value came from. A later kind beats an earlier one. */
export type Origin =
  | { readonly kind: "built-in" }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "environment"; readonly variable: string }
  | { readonly kind: "flag"; readonly flag: string };

/** One source's values, read but not yet checked. */
export type Fragment = { readonly origin: Origin; readonly values: unknown };

/** One fault in the settings: where it is, which key, what was found, what is allowed. */
export type SettingFault = {
  readonly origin: Origin;
  readonly key: string;
  readonly found: string;
  readonly allowed: string;
};

/** One row of `svc-upgrade config`: the value as in a fragment, and its origin. */
export type SettingRow = { readonly key: string; readonly value: unknown; readonly origin: Origin };

/** A time zone that a setting needs; undefined means the host's. Only the machine knows whether the zone exists. */
export type NeededZone = { readonly origin: Origin; readonly key: string; readonly zone: string | undefined };

export type MergedSettings = { readonly zones: readonly NeededZone[] } & (
  | { readonly kind: "settings"; readonly settings: Settings; readonly rows: readonly SettingRow[] }
  | { readonly kind: "faults"; readonly faults: readonly SettingFault[] }
);
