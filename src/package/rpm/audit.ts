import { ended } from "../result.ts";
import { rpmEnvironment } from "./environment.ts";
import { rpmRoot, unreadableDatabase, type RpmDatabase } from "./installed.ts";
import { mayBeSeveral } from "./may-be-several.ts";

/** Every header is read; a large host on a slow disk takes seconds. */
const auditTimeoutMs = 60_000;

/** The packages of which a transaction that did not finish has left more than one version. */
export async function auditRpm({ run, root }: RpmDatabase): Promise<readonly string[]> {
  const argv = ["rpm", ...rpmRoot(root), "-qa", "--qf", "%{NAME}\\t%{ARCH}\\n"] as const;
  const { status, stdout, output } = ended(await run({ argv, env: rpmEnvironment, timeoutMs: auditTimeoutMs }), argv[0]);
  if (status !== 0 || /^error: /m.test(output)) throw unreadableDatabase(output);
  return severalIn(stdout).map((name) => `${name} is there more than once`);
}

export function severalIn(listing: string): readonly string[] {
  const seen = new Set<string>();
  const several = new Set<string>();
  for (const line of listing.split("\n")) {
    const [name = ""] = line.split("\t");
    if (name === "" || mayBeSeveral(name)) continue;
    if (seen.has(line)) several.add(name);
    seen.add(line);
  }
  return [...several];
}
