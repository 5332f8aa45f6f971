import { existsSync } from "node:fs";
import { asFault } from "../../rules/fault/explain.ts";
import type { Fault } from "../../rules/fault/fault.ts";
import { shellWord } from "../../rules/text/shell-word.ts";
import { endpointOf, faultsIn, prepare, type PreparedSettings, type SettingSources } from "../sources/settings.ts";
import { environmentFragments } from "../../rules/settings/environment.ts";
import { originText } from "../../rules/settings/explain.ts";
import { mergeSettings } from "../../rules/settings/merge.ts";
import type { Endpoint, Fragment, SettingFault, Settings } from "../../rules/settings/settings.ts";
import { readSettingsFiles } from "../store/settings-files.ts";
import { failed, ok, warning, type Finding } from "./check.ts";
import { findingOf } from "./finding-of-fault.ts";
import { collect } from "../../rules/settings/collect.ts";

/** The settings for all other checks, without wrong ones. */
export type KnownSettings = { readonly finding: Finding; readonly settings: Settings; readonly endpoint: Endpoint | undefined };

export async function examineSettings(sources: SettingSources): Promise<KnownSettings> {
  try {
    return withEndpoint(await prepare(sources));
  } catch (thrown) {
    const given = await allGiven(sources);
    const { settings, endpoint } = await rightSettings(sources, given.fragments.map(rightOf));
    return { finding: await wrong(asFault(thrown), sources, given), settings, endpoint };
  }
}

function withEndpoint(prepared: PreparedSettings): KnownSettings {
  const { settings, rows, denied } = prepared;
  try {
    const endpoint = endpointOf(prepared);
    const origin = rows.find(({ key }) => key === "endpoint")?.origin;
    const told = `endpoint ${endpoint}${origin === undefined ? "" : ` (${originText(origin)})`}, channel ${settings.channel}`;
    if (denied.length === 0) return { finding: ok(told), settings, endpoint };
    const left = `${told}; without ${denied.join(" and ")}, which this user may not read`;
    return { finding: warning(left, "sudo svc-upgrade doctor"), settings, endpoint };
  } catch (thrown) {
    const fault = asFault(thrown);
    const fix = "sudo svc-upgrade enroll --endpoint https://proxy.example.com";
    const finding: Finding =
      fault.code === "endpoint-missing"
        ? failed(`${fault.message}; name your own cluster in place of the example`, fix)
        : findingOf(fault);
    return { finding, settings, endpoint: undefined };
  }
}

type Given = { readonly fragments: readonly Fragment[]; readonly faults: readonly SettingFault[] };

async function wrong(fault: Fault, sources: SettingSources, given: Given): Promise<Finding> {
  const [first = "", ...lines] = fault.message.split("\n");
  const told = `${first}${lines.length === 0 ? "" : ` ${lines.join("; ")}`}; the checks below use the other settings`;
  const fix = fault.code === "settings-untrusted" ? trustFix(sources) : await editFix(given, sources);
  return failed(told, fix);
}

function trustFix({ paths, ownerUid }: SettingSources): string {
  const there = paths.settingsDirectories
    .filter((directory) => existsSync(directory))
    .map(shellWord)
    .join(" ");
  return `sudo chown -R ${ownerUid}:${ownerUid} ${there} && sudo chmod -R go-w ${there}`;
}

/** The command to edit a file. A fault in a variable or a flag has none: the message names it. */
async function editFix({ fragments, faults }: Given, sources: SettingSources): Promise<string | undefined> {
  const found = await faultsIn(mergeSettings(fragments, faults), sources);
  const files = new Set(found.flatMap(({ origin }) => (origin.kind === "file" ? [origin.path] : [])));
  return files.size === 0 ? undefined : `sudoedit ${[...files].map(shellWord).join(" ")}`;
}

async function allGiven({ paths, environment, flags, ownerUid }: SettingSources): Promise<Given> {
  const files = await readSettingsFiles(paths.settingsDirectories, ownerUid);
  const variables = environmentFragments(environment);
  return {
    fragments: [...files.fragments, ...variables.fragments, ...flags],
    faults: [...files.faults, ...variables.faults],
  };
}

/** The valid settings: with the agent's own configuration if that can be read, otherwise the fragments, otherwise the built-in ones. */
async function rightSettings(
  sources: SettingSources,
  fragments: readonly Fragment[],
): Promise<{ readonly settings: Settings; readonly endpoint: Endpoint | undefined }> {
  try {
    const paths = { ...sources.paths, settingsDirectories: [] };
    const { settings } = await prepare({ ...sources, paths, environment: {}, flags: fragments, calendar: "none" });
    return { settings, endpoint: settings.endpoint };
  } catch {
    // The fault that led here was reported already.
    const merged = [fragments, []].map((some) => mergeSettings(some)).find(({ kind }) => kind === "settings");
    if (merged?.kind !== "settings") throw new Error("the built-in settings are right");
    return { settings: merged.settings, endpoint: merged.settings.endpoint };
  }
}

/** A fragment without its wrong keys, so that one misspelt key does not hide all other checks. */
function rightOf({ origin, values }: Fragment): Fragment {
  const right: Record<string, unknown> = {};
  for (const [key, given] of Object.entries(collect({ origin, values }).values)) {
    const [first = "", second] = key.split(".");
    right[first] = second === undefined ? given.raw : { ...asMapping(right[first]), [second]: given.raw };
  }
  return { origin, values: right };
}

function asMapping(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}
