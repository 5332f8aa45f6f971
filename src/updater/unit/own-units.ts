import type { UnitName } from "../../rules/settings/settings.ts";

/** Decides, once for each tick or run by hand. */
export const decidingUnit: UnitName = "svc-upgrade.service" as UnitName;
/** Asks the version server for it. */
export const askingUnit: UnitName = "svc-upgrade-ask.service" as UnitName;
/** By which that one is reached. */
export const askingSocket: UnitName = "svc-upgrade-ask.socket" as UnitName;
/** Changes the host for it. */
export const actingUnit: UnitName = "svc-upgrade-act.service" as UnitName;
/** By which that one is reached. */
export const actingSocket: UnitName = "svc-upgrade-act.socket" as UnitName;
