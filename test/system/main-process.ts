import type { Host } from "./lab/host.ts";

/** The id of a unit's main process, as the host numbers it; undefined while there is none. */
export async function mainProcess(host: Host, unit: string): Promise<string | undefined> {
  const pid = (await host.run(["systemctl", "show", "--property=MainPID", "--value", unit])).stdout.trim();
  return pid === "" || pid === "0" ? undefined : pid;
}
