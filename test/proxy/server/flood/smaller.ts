/*
 * A svc-proxy that bears a tenth: smaller.ts serve --config FILE. Few users may open the 44,000 files that it takes to bring the
 * shipped one to its limit, and both ends of each connection are on this host.
 */
import { load } from "../../../../src/proxy/server/load.ts";
import { startServer } from "../../../../src/proxy/server/server.ts";
import { parseVersion } from "../../../../src/rules/version/version.ts";
import { smallerLimits } from "./limits.ts";

const [, , , , config = ""] = process.argv;
const ownVersion = parseVersion("0.1.0");
if (ownVersion === undefined) throw new Error("0.1.0 is a version");
const loaded = await load(config, { ownVersion, proxies: {}, reader: "caller" });
await startServer(loaded, { limits: smallerLimits, proxies: {}, log: () => undefined, program: "svc-proxy" });
console.error("serving with a tenth of the limits");
