import { loaded } from "../../machine/program/loaded-modules.ts";

/** Says what a plain host loads for as long as it runs. */
await import("../../../src/cluster/svc/cli/start.ts");
process.stdout.write(loaded.join("\n"));
