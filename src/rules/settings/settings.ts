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

/** A path as this host has it. Below another root it lies elsewhere, so it is no text that could be opened as it stands. */
export type FileOnHost = { readonly onHost: string };

/** The names that lead down to a value in the agent's configuration. */
export type ConfigKey = readonly string[] & { readonly [configKeyBrand]: true };

/** The files of the agent's that the updater reads, and the one that it is given to write. */
export type AgentFiles = {
  readonly schedule: FileOnHost;
  readonly config: FileOnHost;
  /** Undefined: `proxy_server`, below `svc` or else at the top. */
  readonly configKey: ConfigKey | undefined;
  readonly environment: FileOnHost;
};

/** Settings after every check: nothing behind this type asks again. */
export type Settings = {
  /** Undefined: the agent's own configuration may still name it. */
  readonly endpoint: Endpoint | undefined;
  readonly channel: ChannelName;
  readonly agent: AgentSettings;
  readonly agentFiles: AgentFiles;
  readonly manager: "auto" | "apt" | "yum" | "zypper";
  readonly holds: "respect" | "override";
  readonly window: OwnWindows | undefined;
  readonly blackouts: readonly Blackout[];
  /** Those that take a time zone to be known; what they come to is among the others. */
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

/** Whom events are told. */
export type NotifySettings = {
  /** Empty: nobody. */
  readonly command: readonly string[];
  readonly credentials: readonly Credential[];
};

/** A file that a unit may read under that name, whoever it runs as. */
export type Credential = { readonly name: string; readonly file: string };

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

/** A time zone that a setting rests on; undefined: the host's. Which zones there are is nothing that could be known here. */
export type NeededZone = { readonly origin: Origin; readonly key: string; readonly zone: string | undefined };

export type MergedSettings = { readonly zones: readonly NeededZone[] } & (
  | { readonly kind: "settings"; readonly settings: Settings; readonly rows: readonly SettingRow[] }
  | { readonly kind: "faults"; readonly faults: readonly SettingFault[] }
);
