import { originText } from "../settings/explain.ts";
import type { SettingRow } from "../settings/settings.ts";

/** One line for each setting: as it would be written in a fragment, and where it comes from. */
export function showConfig(rows: readonly SettingRow[]): string {
  const lines = rows.map(({ key, value, origin }) => [`${key}: ${written(value)}`, originText(origin)] as const);
  const width = Math.max(...lines.map(([left]) => left.length));
  return lines.map(([left, right]) => `${left.padEnd(width)}  # ${right}\n`).join("");
}

export type ConfigJson = {
  readonly schema: 1;
  readonly settings: readonly { readonly key: string; readonly value: unknown; readonly origin: string }[];
};

export function configJson(rows: readonly SettingRow[]): ConfigJson {
  return {
    schema: 1,
    settings: rows.map(({ key, value, origin }) => ({ key, value: value ?? null, origin: originText(origin) })),
  };
}

function written(value: unknown): string {
  return value === undefined ? "~" : JSON.stringify(value);
}
