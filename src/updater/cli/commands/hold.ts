import { encode } from "../../../rules/shape/write.ts";
import type { Given } from "../../../machine/command-line/row.ts";
import { Fault } from "../../../rules/fault/fault.ts";
import { quote } from "../../../rules/text/quote.ts";
import { readClock } from "../../../machine/clocks/read-clock.ts";
import { isHeld } from "../../../rules/decide/gate-policy.ts";
import type { Hold } from "../../../rules/decide/gate-policy.ts";
import { printHold } from "../../../rules/settings/own-fragments.ts";
import { printInstant } from "../../../rules/window/instant.ts";
import type { UnixSeconds } from "../../../rules/window/window.ts";
import type { CommandContext } from "../context.ts";
import { holdAnswer, unholdAnswer } from "../json/orders.ts";
import type { SharedOptions } from "../options.ts";
import { askedReason, changeableSources, ownerOf, putInForce, takeBack } from "../own-orders.ts";
import { asTyped } from "../screen/status/with-root.ts";
import { screenColumns, wrap } from "../screen/wrap.ts";
import { askedTime } from "../times/asked-time.ts";
import { hostZone, tellLocal } from "../times/tell-local.ts";

/** Writes a hold into its own settings fragment, in place of an earlier one. Afterwards the hold is in force, or nothing has changed. */
export async function hold(options: SharedOptions, given: Given, context: CommandContext): Promise<number> {
  const sources = changeableSources("hold", options, context);
  const asked = askedHold(given);
  await putInForce("hold", printHold(asked), sources);
  context.surroundings.out(options.json ? `${JSON.stringify(encode(holdAnswer, asked))}\n` : told(asked, options.root));
  return 0;
}

/** Removes the fragment of `hold`. A hold in another file is its author's, so the answer names that file. */
export async function unhold(options: SharedOptions, context: CommandContext): Promise<number> {
  const sources = changeableSources("unhold", options, context);
  const isRemoved = await takeBack("hold", sources, ({ settings, rows }) =>
    isHeld(settings.hold, readClock().now) ? stillHeld(ownerOf("hold", rows)) : undefined,
  );
  const line = isRemoved ? "upgrades are not on hold any more; the next pass decides again" : "upgrades were not on hold";
  context.surroundings.out(options.json ? `${JSON.stringify(encode(unholdAnswer, isRemoved))}\n` : `${line}\n`);
  return 0;
}

function askedHold(given: Given): Hold {
  // The words of a time need no quotes.
  const time = given.arguments.length === 0 ? undefined : given.arguments.join(" ");
  const until = given.text("until");
  if (time !== undefined && until !== undefined) {
    throw new Fault("usage", {
      message: `the hold cannot end at two times: "${quote(time)}" and --until "${quote(until)}"`,
      hint: "give one of them, for example `svc-upgrade hold 2d`",
    });
  }
  const spoken = time ?? until;
  return { until: spoken === undefined ? undefined : timeToCome(spoken), reason: askedReason(given.text("reason")) };
}

function timeToCome(spoken: string): UnixSeconds {
  const instant = askedTime(spoken);
  const { now } = readClock();
  if (instant > now) return instant;
  throw new Fault("usage", {
    message: `"${quote(spoken)}" means ${printInstant(instant)}, and it is ${printInstant(now)} by this host's clock`,
    hint: "give a time to come, for example 2h, 3d or tomorrow",
  });
}

function told({ until, reason }: Hold, root: string): string {
  const end = until === undefined ? "" : ` until ${tellLocal(until, hostZone())} (${printInstant(until)})`;
  const held = `upgrades are on hold${end}${reason === undefined ? "" : `: ${reason}`}`;
  return [...wrap(held, screenColumns), asTyped("to end it: svc-upgrade unhold", root), ""].join("\n");
}

function stillHeld(owner: string): Fault {
  return new Fault("settings-invalid", {
    message: `upgrades are still on hold: ${owner} says so`,
    hint: `take hold out of ${owner}, which svc-upgrade hold did not write`,
  });
}
