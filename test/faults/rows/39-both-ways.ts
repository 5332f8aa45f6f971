import { equal } from "node:assert/strict";
import { expectMoved } from "../expect-pass.ts";
import { inEachFamily, type Row } from "../scenario.ts";
import { decide, serveNext, withSettings } from "../staging.ts";
import { expectRunning, expectWhole } from "../whole.ts";

const file = "/etc/svc.conf";

export const bothWays: Row = {
  scenarios: inEachFamily(
    39,
    "from one version to the next, back and forth again, the admin's configuration carried",
    async (stage) => {
      const { host } = stage;
      const conf = (text: string): { conffiles: Record<string, string> } => ({ conffiles: { [file]: `${text}\n` } });
      const older = await serveNext(stage, conf("older"));
      await expectMoved(stage, older);
      await host.write(file, "edited\n");
      const newer = await serveNext(stage, conf("newer"));
      await expectMoved(stage, newer);
      equal(await host.read(file), "edited\n");
      await withSettings(stage, "downgrade: allow\n", async () => {
        decide(stage, older);
        await expectMoved(stage, older);
        decide(stage, newer);
        await expectMoved(stage, newer);
      });
      equal((await host.run(["svc-upgrade", "rollback"])).status, 0);
      await expectWhole(host, older);
      await expectRunning(host, older);
      equal(await host.read(file), "edited\n");
      await host.mustRun(["svc-upgrade", "retry"]);
    },
  ),
  unstaged: [
    {
      row: 39,
      name: "the updater itself from its release before, and back",
      why: "its packages are built once for all hosts: a system test has it",
    },
  ],
};
