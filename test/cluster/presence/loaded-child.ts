import { loaded } from "../../machine/program/loaded-modules.ts";

/** Joins, and says what was loaded for it. */
await import("./join-child.ts");
await import("../../../src/cluster/presence/presence.ts");
await import("../../../src/cluster/presence/reporting.ts");
process.stdout.write(loaded.join("\n"));
