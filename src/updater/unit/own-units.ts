import type { UnitName } from "../../rules/settings/settings.ts";

/** Decides whether to move, once for each timer tick or manual run. */
export const decidingUnit: UnitName = "svc-upgrade.service" as UnitName;
/** Asks the version server on behalf of the deciding unit. */
export const askingUnit: UnitName = "svc-upgrade-ask.service" as UnitName;
export const askingSocket: UnitName = "svc-upgrade-ask.socket" as UnitName;
/** Changes the host on behalf of the deciding unit. */
export const actingUnit: UnitName = "svc-upgrade-act.service" as UnitName;
export const actingSocket: UnitName = "svc-upgrade-act.socket" as UnitName;
