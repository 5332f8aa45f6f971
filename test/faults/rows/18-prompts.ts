import { equal } from "node:assert/strict";
import { expectMoved } from "../expect-pass.ts";
import { inEachFamily, onApt, type Row } from "../scenario.ts";
import { serveNext } from "../staging.ts";

const file = "/etc/svc.conf";

export const prompts: Row = {
  scenarios: [
    ...inEachFamily(18, "an edited configuration file, and a package that brings another: nobody is asked", async (stage) => {
      const { host } = stage;
      const conf = (text: string): { conffiles: Record<string, string> } => ({ conffiles: { [file]: `${text}\n` } });
      await expectMoved(stage, await serveNext(stage, conf("first")));
      await host.write(file, "edited\n");
      await expectMoved(stage, await serveNext(stage, conf("second")));
      equal(await host.read(file), "edited\n");
    }),
    ...onApt(18, "a hook that asks a question at the terminal, as needrestart does", async (stage) => {
      const { host } = stage;
      const ask = 'DPkg::Post-Invoke { "read answer </dev/tty || read answer || true"; };\n';
      await host.write("/etc/apt/apt.conf.d/ask", ask);
      await expectMoved(stage, await serveNext(stage));
      await host.mustRun(["rm", "/etc/apt/apt.conf.d/ask"]);
    }),
  ],
  unstaged: [
    { row: 18, name: "a question of debconf's own", why: "the lab's packages have no templates; the frontend is noninteractive" },
  ],
};
