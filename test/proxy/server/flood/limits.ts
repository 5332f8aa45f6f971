import { limits, type Limits } from "../../../../src/proxy/server/limits.ts";

export const smallerLimits: Limits = {
  ...limits,
  connections: limits.connections / 10,
  mostConnections: limits.mostConnections / 10,
};
