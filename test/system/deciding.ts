import type { Host } from "./lab/host.ts";
import { until } from "./lab/until.ts";
import { decideBy } from "./sources.ts";

/** What the program in the host does when svc-upgrade.service is started next. */
export function decideTo(host: Host, ...words: readonly string[]): Promise<void> {
  return decideBy(host, "unit-in-host.ts", words);
}

export async function journal(host: Host): Promise<string> {
  return host.mustRun(["journalctl", "--quiet", "--no-pager", "-u", "svc-upgrade", "-o", "cat"]);
}

/** Starts the deciding unit, waits for its end, and gives the JSON that the program printed. */
export async function outcome(host: Host): Promise<unknown> {
  const earlier = (await outcomes(host)).length;
  await host.run(["systemctl", "start", "svc-upgrade.service"], { timeoutMs: 240_000 });
  return until("the outcome is in the journal", 30_000, async () => {
    const line = (await outcomes(host))[earlier];
    return line === undefined ? undefined : (JSON.parse(line) as unknown);
  });
}

export async function outcomes(host: Host): Promise<readonly string[]> {
  return (await journal(host)).split("\n").filter((line) => line.startsWith("{"));
}

export async function isThere(host: Host, path: string): Promise<true | undefined> {
  return (await host.enter(["test", "-e", path])).status === 0 ? true : undefined;
}
