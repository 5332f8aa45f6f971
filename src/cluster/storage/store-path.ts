import { join } from "node:path";

/** Where auth keeps the cluster: in its own directory, so that nobody else has to write there. */
export function storePath(dataDirectory: string): string {
  return join(dataDirectory, "auth", "cluster.db");
}
