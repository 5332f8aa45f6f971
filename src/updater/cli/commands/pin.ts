import { encode } from "../../../rules/shape/write.ts";
import type { Given } from "../../../machine/command-line/row.ts";
import { dirname } from "node:path";
import { directionGate } from "../../../rules/decide/downgrade-gate.ts";
import type { Pin } from "../../../rules/decide/gate-policy.ts";
import { exchange } from "../../../rules/decide/served.ts";
import { Fault } from "../../../rules/fault/fault.ts";
import { quote } from "../../../rules/text/quote.ts";
import { shellWord } from "../../../rules/text/shell-word.ts";
import { policyOf } from "../../plan/host-policy.ts";
import { originText } from "../../../rules/settings/explain.ts";
import { printPin } from "../../../rules/settings/own-fragments.ts";
import { prepare, type PreparedSettings } from "../../sources/settings.ts";
import { look } from "../../status/look.ts";
import { nextOf, type Next } from "../../status/next.ts";
import { parseVersion, type Version } from "../../../rules/version/version.ts";
import type { CommandContext } from "../context.ts";
import { pinAnswer, unpinAnswer } from "../json/orders.ts";
import type { SharedOptions } from "../options.ts";
import { askedReason, changeableSources, ownerOf, putInForce, takeBack } from "../own-orders.ts";
import { asTyped } from "../screen/status/with-root.ts";
import { screenColumns, wrap } from "../screen/wrap.ts";
import { tellMoments } from "../times/moment.ts";
import { hostZone } from "../times/tell-local.ts";
import { lookPorts } from "../wiring/look-ports.ts";

/**
 * Writes a pin into its own settings fragment, in place of an earlier one. Afterwards the pin is in force, or nothing has changed. Refuses a pin that
 * the settings would never let a pass follow.
 */
export async function pin(options: SharedOptions, given: Given, context: CommandContext): Promise<number> {
  const asked = { version: versionIn(given.arguments[0] ?? ""), reason: askedReason(given.text("reason")) };
  const sources = changeableSources(`pin ${asked.version}`, options, context);
  const { settings, rows } = await prepare(sources);
  const { installed } = await look(lookPorts(sources.paths, context));
  refuseDirection(asked, installed?.version, { settings, rows, fragments: dirname(sources.paths.pin) });
  await putInForce("pin", printPin(asked), sources);
  const seen = await look(lookPorts(sources.paths, context));
  const next = nextOf(seen);
  const why = asked.reason === undefined ? "" : `: ${asked.reason}`;
  const lines = [
    `the agent is pinned to ${asked.version}${why}`,
    tellNext(next, { now: seen.now, root: options.root }),
    asTyped("to end it: svc-upgrade unpin", options.root),
  ];
  context.surroundings.out(options.json ? `${JSON.stringify(encode(pinAnswer, { pin: asked, next }))}\n` : paragraphs(lines));
  return 0;
}

/** Removes the fragment of `pin`. A pin in another file is its author's, so the answer names that file. */
export async function unpin(options: SharedOptions, context: CommandContext): Promise<number> {
  const sources = changeableSources("unpin", options, context);
  const isRemoved = await takeBack("pin", sources, ({ settings, rows }) =>
    settings.pin === undefined ? undefined : stillPinned(settings.pin, ownerOf("pin", rows)),
  );
  const seen = await look(lookPorts(sources.paths, context));
  const next = nextOf(seen);
  const lines = [
    isRemoved ? "no version is pinned any more" : "no version was pinned",
    tellNext(next, { now: seen.now, root: options.root }),
  ];
  context.surroundings.out(options.json ? `${JSON.stringify(encode(unpinAnswer, { isRemoved, next }))}\n` : paragraphs(lines));
  return 0;
}

function versionIn(text: string): Version {
  const version = parseVersion(text);
  if (version !== undefined) return version;
  throw new Fault("usage", {
    message: `"${quote(text)}" is not a version`,
    hint: "give all three numbers, for example `svc-upgrade pin 15.4.6`",
  });
}

/** Refuses, before the pin is written, what every pass would refuse. */
function refuseDirection({ version }: Pin, installed: Version | undefined, { settings, rows, fragments }: InForce): void {
  const target = installed === undefined ? undefined : exchange(installed, version);
  if (target === undefined) return;
  const pinned = { ...settings, pin: { version, reason: undefined } };
  const refusal = directionGate({ policy: policyOf(pinned, { when: "timer", absent: "stop" }), target });
  if (refusal === undefined) return;
  const key = refusal.why === "downgrade-refused" ? "downgrade" : "major";
  const allowing = `${key}: ${key === "downgrade" ? "allow" : "any"}`;
  const origin = rows.find((row) => row.key === key)?.origin;
  const allow =
    origin === undefined || origin.kind === "built-in"
      ? `\`echo '${allowing}' | sudo tee ${shellWord(`${fragments}/60-${key}.yaml`)}\``
      : `set \`${allowing}\` in ${originText(origin)}`;
  throw new Fault("settings-invalid", {
    message: `${refusal.told}, and ${key}: ${settings[key]} refuses that; nothing was pinned`,
    hint: `${allow}; then type this again`,
  });
}

/** The settings before the pin, and the directory for fragments. */
type InForce = Pick<PreparedSettings, "settings" | "rows"> & { readonly fragments: string };

function stillPinned({ version }: Pin, owner: string): Fault {
  return new Fault("settings-invalid", {
    message: `${version} is still pinned: ${owner} says so`,
    hint: `take pin out of ${owner}, which svc-upgrade pin did not write`,
  });
}

/** Tells what a pass would do now if the channel's last answer still holds. */
function tellNext(next: Next, { now, root }: { readonly now: number; readonly root: string }): string {
  const told = tellMoments(sentenceOf(next), { now, zone: hostZone() });
  return asTyped(told, root);
}

function sentenceOf(next: Next): string {
  switch (next.kind) {
    case "move":
      return `the next pass begins to ${next.target.kind} to ${next.target.to}: ${next.told}; at once: svc-upgrade run --now`;
    case "stay": {
      const lift = next.until === undefined && next.lift !== undefined ? `; lifted by: ${next.lift}` : "";
      return next.why === "pinned" ? "it is installed, so nothing has to move" : `nothing moves now: ${next.told}${lift}`;
    }
    case "stop":
      return `the next pass ends in a fault: ${next.fault.message}; ${next.fault.hint}`;
    case "unknown":
      return `what the next pass does is not known: ${next.told}; to see: ${next.lift}`;
  }
}

function paragraphs(lines: readonly string[]): string {
  return `${lines.flatMap((line) => wrap(line, screenColumns)).join("\n")}\n`;
}
