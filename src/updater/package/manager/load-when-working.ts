import type { PackageManager } from "./manager.ts";
import { once } from "../call/once.ts";

/** What every look needs: the package database. */
export type LookingHalf = Pick<PackageManager, "name" | "root" | "inspect" | "inspectAll">;

/** What changes the host or needs its repositories. */
export type WorkingHalf = Omit<PackageManager, keyof LookingHalf>;

/** Loads the working half only when it is needed: every host looks every ten minutes, and most looks find nothing to do. */
export function inHalves(looking: LookingHalf, load: () => Promise<WorkingHalf>): PackageManager {
  const working = once(load);
  return {
    ...looking,
    refresh: async (name) => (await working()).refresh(name),
    offers: async (name) => (await working()).offers(name),
    sources: async () => (await working()).sources(),
    buildOf: async (name, version) => (await working()).buildOf(name, version),
    simulate: async (change) => (await working()).simulate(change),
    bring: async (change, planned) => (await working()).bring(change, planned),
    fetch: async (wanted, directory) => (await working()).fetch(wanted, directory),
    install: async (change, planned) => (await working()).install(change, planned),
    installFiles: async (change, files) => (await working()).installFiles(change, files),
    objectionToBack: async (sets) => (await working()).objectionToBack(sets),
    holdAgain: async (name) => (await working()).holdAgain(name),
    mend: async (names) => (await working()).mend(names),
  };
}
