import { faultData } from "../fault/explain.ts";
import { Fault, type FaultData } from "../fault/fault.ts";
import type { FaultCode } from "../fault/table.ts";
import { printInstant } from "../window/instant.ts";
import type { UnixSeconds } from "../window/window.ts";
import { daySeconds } from "../window/seconds.ts";

/** A day without contact is no longer a passing fault: the unit turns red. */
const longestSilenceSeconds = daySeconds;

const silences: readonly FaultCode[] = ["channel-unreachable", "channel-failing", "proxy-unreachable", "ask-failed"];

/** A network that stays down for a day is said as such, with the fault of this pass as its cause. */
export function afterSilence(fault: FaultData, silentSince: UnixSeconds | undefined, now: UnixSeconds): FaultData {
  if (!silences.includes(fault.code) || silentSince === undefined || now - silentSince < longestSilenceSeconds) return fault;
  const lost = faultData(
    new Fault("contact-lost", {
      message: `the version server has not been reached since ${printInstant(silentSince)}`,
      hint: fault.hint,
    }),
  );
  return { ...lost, causes: [fault.message, ...fault.causes] };
}
