import { givenSeed } from "../../given-seed.ts";
import { sweepAbandonedHosts } from "./host.ts";
import { missingForLab } from "./machine.ts";
import { sweepLayers } from "./prepared.ts";

/** Before all scenarios: they get one seed, what a crashed run left is taken away, and what the machine lacks is said. */
export async function setup(): Promise<void> {
  process.env["SEED"] = String(givenSeed());
  const missing = await missingForLab();
  if (missing.length === 0) {
    await sweepAbandonedHosts();
    await sweepLayers();
    return;
  }
  const told = ["The system tests need booted hosts, and this machine cannot boot them:", ...missing].join("\n  ");
  // Where the tests are the point of the run, as in CI, a skip must not look like a success.
  if (process.env["SVC_UPGRADE_LAB_REQUIRED"] === "1") throw new Error(told);
  console.error(`\n*** SKIPPED ***\n${told}\n`);
}
