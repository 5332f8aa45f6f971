import { queryRpm, readTimeoutMs, unreadableDatabase, type RpmDatabase } from "./installed.ts";
import { mayBeSeveral } from "./may-be-several.ts";

/** The packages of which an unfinished transaction left more than one version. */
export async function auditRpm(database: RpmDatabase): Promise<readonly string[]> {
  const { status, stdout, output } = await queryRpm(database, ["-qa", "--qf", "%{NAME}\\t%{ARCH}\\n"], readTimeoutMs);
  if (status !== 0 || /^error: /m.test(output)) throw unreadableDatabase(output);
  return severalIn(stdout).map((name) => `${name} is there more than once`);
}

export function severalIn(listing: string): readonly string[] {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const line of listing.trim().split("\n")) {
    const [name = ""] = line.split("\t");
    if (seen.has(line) && !mayBeSeveral(name)) twice.add(name);
    seen.add(line);
  }
  return [...twice];
}
