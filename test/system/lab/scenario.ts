import type { TestContext } from "vitest";
import type { Host } from "./host.ts";
import { missingForLab } from "./machine.ts";
import { bootPrepared, type PreparedOptions } from "./prepared.ts";
import { serveRepository, type Repository } from "./repository.ts";
import { serveVersions, type VersionServer } from "./version-server.ts";

export type Stage = { readonly host: Host; readonly repository: Repository; readonly versions: VersionServer };

export type LabTest = (context: TestContext) => Promise<void>;

const missing = await missingForLab();

/** A test on one fresh host, with a repository and a version server that it alone reaches. */
export function scenario(options: PreparedOptions, play: (stage: Stage) => Promise<void>): LabTest {
  return inLab(async () => {
    const host = await bootPrepared(options);
    try {
      await play(await stageOn(host));
    } catch (failure) {
      throw await withJournal(host, failure);
    } finally {
      await host.stop();
    }
  });
}

/** A repository and a version server beside a host. */
export async function stageOn(host: Host): Promise<Stage> {
  const [repository, versions] = await Promise.all([serveRepository(host), serveVersions(host, { changes: "numbered" })]);
  return { host, repository, versions };
}

/** A test that boots its own hosts and stops them. Skipped, with the reason, on a machine that cannot boot any. */
export function inLab(play: () => Promise<void>): LabTest {
  return async (context) => {
    context.skip(missing.length > 0, missing.join(" "));
    await play();
  };
}

/** The last of what the host's units said: without it a failure on a host that is gone cannot be understood. */
export async function withJournal(host: Host, failure: unknown): Promise<unknown> {
  const told = await host
    .enter(["journalctl", "--no-pager", "--quiet", "--lines=80", "--output=short-iso-precise"])
    .then(({ stdout }) => stdout)
    .catch((cause: unknown) => String(cause));
  if (failure instanceof Error) failure.message += `\n\nThe host's journal:\n${told}`;
  return failure;
}
