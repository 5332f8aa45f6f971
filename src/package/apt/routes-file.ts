import { withCallFile } from "../call-file.ts";

/** Has the configuration lie in its file for as long as the work takes: passwords may be in it, so only root may read it. */
export function withRoutesFile<T>(root: string, config: string, work: (path: string) => Promise<T>): Promise<T> {
  return withCallFile(root, { onMachine: "/run/svc-upgrade/apt-routes.conf", mode: 0o600, text: config }, work);
}
