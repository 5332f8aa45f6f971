import { loadTrust } from "../../../src/machine/network/trust.ts";
import type { Ways } from "../../../src/cluster/presence/mutual-tls.ts";

export const directWays: Ways = {
  routeOf: () => ({ kind: "direct", rule: "no HTTPS_PROXY is set" }),
  trust: () => loadTrust(undefined),
};
