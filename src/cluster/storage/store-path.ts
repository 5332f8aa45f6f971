import { join } from "node:path";

/** Auth keeps the cluster in its own directory, so that nobody else needs to write there. */
export function storePath(dataDirectory: string): string {
  return join(dataDirectory, "auth", "cluster.db");
}
