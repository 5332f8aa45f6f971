import { serveRepository } from "../../system/lab/repository.ts";
import { refreshLists } from "../../system/lab/package-tools.ts";
import { expectMoved } from "../expect-pass.ts";
import { inEachFamily, onApt, type Row } from "../scenario.ts";
import { serveNext } from "../staging.ts";

/** What the package managers' statuses mean. Rows 1 and 15 have refusals and failures. */
export const statuses: Row = {
  scenarios: [
    ...inEachFamily(17, "a repository of somebody else is dead (zypper 4 and 106, apt 100, yum 1)", async (stage) => {
      const { host } = stage;
      const foreign = await serveRepository(host, "foreign");
      await refreshLists(host);
      await foreign.server.goDown();
      await expectMoved(stage, await serveNext(stage));
      await host.mustRun(["rm", foreign.sourcesFile]);
    }),
    ...onApt(17, "apt fails after its work: a hook of somebody else ends with an error", async (stage) => {
      const { host } = stage;
      await host.write("/etc/apt/apt.conf.d/hook", 'DPkg::Post-Invoke { "false"; };\n');
      await expectMoved(stage, await serveNext(stage));
      await host.mustRun(["rm", "/etc/apt/apt.conf.d/hook"]);
    }),
  ],
  unstaged: [
    {
      row: 17,
      name: "zypper 102 and 103: a restart of the host or of zypper is advised",
      why: "the lab's packages advise none; a table test has what these statuses mean",
    },
  ],
};
