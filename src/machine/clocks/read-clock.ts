import { existsSync } from "node:fs";
import { uptime } from "node:os";
import type { ClockReading } from "../../rules/decide/clock-verdict.ts";
import { readFileCapped } from "../files/read-file.ts";

/** Files of the kernel and of systemd-timesyncd that a clock reading needs. */
export type ClockPlaces = { readonly bootId: string; readonly synchronised: string };

const placesOfMachine: ClockPlaces = {
  bootId: "/proc/sys/kernel/random/boot_id",
  synchronised: "/run/systemd/timesync/synchronized",
};

/** A boot id has 36 characters and a newline. */
const longestBootIdBytes = 64;

/**
 * Reads all clocks at one moment. Only systemd-timesyncd leaves a file that says the clock is synchronised. With chrony or ntpd, a clock that went
 * back is believed when two passes of one boot agree on it, ten minutes later.
 */
export function readClock(places: ClockPlaces = placesOfMachine): ClockReading {
  const bootId = readFileCapped(places.bootId, { capBytes: longestBootIdBytes, links: "refuse" });
  return {
    now: Math.floor(Date.now() / 1000),
    sinceBootSeconds: uptime(),
    bootId: bootId.kind === "read" ? bootId.text.trim() : "unknown",
    isSynchronised: existsSync(places.synchronised),
  };
}
