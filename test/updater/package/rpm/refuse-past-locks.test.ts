import { expect, test } from "vitest";
import { refusePastLocks } from "../../../../src/updater/package/rpm/refuse-past-locks.ts";
import { agent, change, fileOf } from "./on-host.ts";

const locks = (...kept: readonly string[]): Parameters<typeof refusePastLocks>[2] => ({
  keeps: ({ name }) => kept.includes(name),
  named: "version lock",
  shownBy: "dnf versionlock list",
});

test.each<{ title: string; kept: readonly string[]; there: readonly string[]; past?: string }>([
  { title: "what is kept is not there", kept: ["data"], there: [], past: "data" },
])("files are installed where no lock keeps them away: $title", async ({ kept, there, past }) => {
  const rows = async () => there.map((version) => ({ epoch: "0", version, release: "1", architecture: "noarch", instance: 1 }));
  const files = [fileOf(agent, "2-1", "/a.rpm"), fileOf("data", "2-1", "/b.rpm")] as const;
  const refusing = refusePastLocks({ rows }, { change: change("2-1"), files }, locks(...kept));
  if (past === undefined) await expect(refusing).resolves.toBeUndefined();
  else {
    await expect(refusing).rejects.toMatchObject({
      code: "plan-refused",
      message: `installing svc-ent 2-1 from its file would go past the version lock of ${past}`,
      hint: "see it with `dnf versionlock list`",
    });
  }
});
