import { chownSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { foreignEnvironmentFile } from "../../../src/updater/doctor/agent.ts";
import type { RunCommand } from "../../../src/machine/processes/command.ts";
import type { UnitName } from "../../../src/rules/settings/settings.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";

const folder = scratchFolder();
const unit = "svc.service" as UnitName;
if (process.getuid?.() !== 0) console.warn("SKIPPED: an environment file of another user: only root can give it away");

function showing(...paths: readonly string[]): RunCommand {
  const stdout = paths.map((path) => `EnvironmentFiles=${path} (ignore_errors=yes)\n`).join("");
  return () => Promise.resolve({ kind: "exited", status: 0, stdout, stderr: "" });
}

test.skipIf(process.getuid?.() !== 0)(
  "an environment file that is another user's is named, with what gives it to root",
  async () => {
    const [roots, agents] = [`${folder}/roots`, `${folder}/agent's`];
    for (const path of [roots, agents]) writeFileSync(path, "");
    chownSync(agents, 12_001, 12_001);
    expect(await foreignEnvironmentFile(showing(roots, `${folder}/none`, agents), unit)).toEqual({
      told: `its EnvironmentFile= ${agents} belongs to user 12001, who can keep systemd waiting for it, with all of the host`,
      fix: `sudo chown root: '${folder}/agent'\\''s'`,
    });
    expect(await foreignEnvironmentFile(showing(roots, `${folder}/none`), unit)).toBeUndefined();
  },
);
