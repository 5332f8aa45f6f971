import { join } from "node:path";

/** Auth keeps the cluster in a directory of its own, so that nobody else has to write there. */
export function storePath(dataDirectory: string): string {
  return join(dataDirectory, "auth", "cluster.db");
}
