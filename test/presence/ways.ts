import { loadTrust } from "../../src/network/trust.ts";
import type { Ways } from "../../src/presence/mutual-tls.ts";

export const directWays: Ways = {
  routeOf: () => ({ kind: "direct", rule: "no HTTPS_PROXY is set" }),
  trust: () => loadTrust(undefined),
};
