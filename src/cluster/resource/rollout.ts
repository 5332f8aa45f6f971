import { channelName } from "../../rules/channel/path.ts";
import type { Select, Share, Spec } from "../../rules/rollout/spec.ts";
import { mostStages } from "../../rules/rollout/status.ts";
import { unknownKey } from "../../rules/shape/check.ts";
import { accepted, isMapping, refused, refusedAs, type SettingReading } from "../../rules/shape/reading.ts";
import { byDefault, own, parsed, record, refined, someOf, whole, type Of } from "../../rules/shape/shape.ts";
import { nearest } from "../../rules/text/nearest.ts";
import { quote } from "../../rules/text/quote.ts";
import { parseVersion } from "../../rules/version/version.ts";
import { duration } from "../services/read-duration.ts";
import { resourceName } from "./name.ts";

const day = 86_400;

/** A number of hosts, or a share such as `2%`. */
type Portion = number | `${number}%`;

const portion = own(readPortion, "a number of hosts from 1 on, or a share of them such as 2%");

type Selection = "others" | { readonly labels: Readonly<Record<string, string>> } | { readonly percent: number };

const selection = own(
  readSelection,
  "{labels: {NAME: VALUE}} (VALUE may be *, and a host's own labels are host/NAME), {percent: 1 to 100}, or others",
);

const stage = record({
  name: resourceName,
  select: selection,
  soak: byDefault(duration({ least: 1, most: 30 * day, example: "24h" }), day),
  at_once: byDefault(portion, "100%"),
});

const stages = refined(someOf(stage, mostStages), (all) => {
  const twice = all.findIndex(({ name }, index) => all.slice(0, index).some((other) => other.name === name));
  if (twice >= 0)
    return refusedAs([
      { at: `[${twice}].name`, found: "the name of an earlier stage", allowed: "each stage has a name of its own" },
    ]);
  const others = all.findIndex(({ select }) => select === "others");
  if (others === all.length - 1) return accepted(all);
  const at = `[${others === -1 ? all.length - 1 : others}].select`;
  return refusedAs([
    { at, found: others === -1 ? "no stage with the other hosts" : "others", allowed: "others in the last stage" },
  ]);
});

const usualHalt = { failed: "2%", silent: "2%", at_least: 3 } as const;

/** A rollout tells a channel's hosts a version in stages. */
export const rolloutSpec = record({
  channel: channelName,
  target: parsed(
    (text) => parseVersion(text.replace(/^v/, "")),
    "a version, for example v15.4.6",
    (version) => `v${version}`,
  ),
  /** Whether hosts are to move outside of their windows. */
  critical: byDefault(own(readYes, "yes or no"), false),
  /** Whether the target may be older than the version before. */
  downgrade: byDefault(own(readYes, "yes or no"), false),
  stages,
  halt: byDefault(
    record({
      failed: byDefault(portion, usualHalt.failed),
      silent: byDefault(portion, usualHalt.silent),
      at_least: byDefault(whole(1, 1_000_000), usualHalt.at_least),
    }),
    usualHalt,
  ),
  done: byDefault(own(readPercent, "a share from 1% to 100%"), "95%"),
  prove: byDefault(duration({ least: 1, most: day, example: "40m" }), 40 * 60),
});

const missedReports = 3;

/** The form that the rules use. A host needs at least as much time to prove itself as three missed reports take. */
export function specOf(spec: Of<typeof rolloutSpec>, reportSeconds: number): Spec {
  const silentSeconds = missedReports * reportSeconds;
  const { channel, target, critical, stages: all, halt, done, prove } = spec;
  return {
    channel,
    target,
    isCritical: critical,
    stages: all.map(({ name, select, soak, at_once: atOnce }) => ({
      name,
      select: selectOf(select),
      // What cannot wait for a window is not watched longer than until hosts have proven it.
      soakSeconds: critical ? 0 : soak,
      atOnce: shareOf(atOnce),
    })),
    halt: { failed: shareOf(halt.failed), silent: shareOf(halt.silent), atLeast: halt.at_least },
    donePercent: Number.parseFloat(done),
    proveSeconds: Math.max(prove, silentSeconds),
    silentSeconds,
  };
}

function selectOf(select: Selection): Select {
  if (select === "others") return { kind: "others" };
  return "labels" in select ? { kind: "labels", labels: select.labels } : { kind: "percent", percent: select.percent };
}

function shareOf(share: Portion): Share {
  return typeof share === "number" ? { kind: "count", count: share } : { kind: "percent", percent: Number.parseFloat(share) };
}

/** YAML 1.2 reads `yes` as a text. */
function readYes(raw: unknown): SettingReading<boolean> {
  if (raw === true || raw === "yes") return accepted(true);
  return raw === false || raw === "no" ? accepted(false) : refused(raw);
}

const percentPattern = /^(?:100|[1-9]?\d(?:\.\d{1,3})?)%$/;

function readPercent(raw: unknown): SettingReading<`${number}%`> {
  const isShare = typeof raw === "string" && percentPattern.test(raw) && Number.parseFloat(raw) > 0;
  return isShare ? accepted(raw as `${number}%`) : refused(raw);
}

function readPortion(raw: unknown): SettingReading<Portion> {
  if (typeof raw !== "number") return readPercent(raw);
  return Number.isInteger(raw) && raw >= 1 && raw <= 1_000_000 ? accepted(raw) : refused(raw);
}

const selectKeys = ["labels", "percent"];
const labelPattern = /^(?:host\/)?[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;
const mostLabels = 16;

function readSelection(raw: unknown): SettingReading<Selection> {
  if (raw === "others") return accepted(raw);
  if (!isMapping(raw)) return refused(raw);
  const names = Object.keys(raw);
  const strange = names.find((name) => !selectKeys.includes(name));
  if (strange !== undefined)
    return refusedAs([
      { at: `.${quote(strange)}`, found: unknownKey(nearest(strange, selectKeys)), allowed: selectKeys.join(" or ") },
    ]);
  if (names.length !== 1) return refusedAs([{ at: "", found: names.join(" and ") || "an empty mapping" }]);
  const { percent, labels } = raw;
  if (typeof percent === "number" && percent > 0 && percent <= 100) return accepted({ percent });
  const found = isMapping(labels) ? Object.entries(labels) : [];
  const areRight =
    found.length > 0 &&
    found.length <= mostLabels &&
    found.every(([name, value]) => labelPattern.test(name) && typeof value === "string" && /^[\w.@:/ +~*-]{1,128}$/.test(value));
  return areRight ? accepted({ labels: Object.fromEntries(found) as Record<string, string> }) : refused(raw);
}
