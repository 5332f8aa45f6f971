import { expect, test } from "vitest";
import { refusePastLocks } from "../../../../src/updater/package/rpm/refuse-past-locks.ts";
import { agent, change, fileOf } from "./on-host.ts";

const locks = (...kept: readonly string[]): Parameters<typeof refusePastLocks>[2] => ({
  keeps: ({ name }) => kept.includes(name),
  named: "version lock",
  shownBy: "dnf versionlock list",
});

test("files are not installed where a lock keeps one away that is not there", async () => {
  const files = [fileOf(agent, "2-1", "/a.rpm"), fileOf("data", "2-1", "/b.rpm")] as const;
  const refusing = refusePastLocks({ rows: async () => [] }, { change: change("2-1"), files }, locks("data"));
  await expect(refusing).rejects.toMatchObject({
    code: "plan-refused",
    message: "installing svc-ent 2-1 from its file would go past the version lock of data",
    hint: "see it with `dnf versionlock list`",
  });
});
