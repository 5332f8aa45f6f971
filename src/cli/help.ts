import type { Command } from "commander";
import { helpScreen } from "../host/command-line.ts";

/** One screen of 24 lines and 80 columns. */
export function programHelp(program: Command): string {
  const shown = program.createHelp().visibleCommands(program);
  const rows = shown.map((command) => ({ name: command.name(), told: command.description() }));
  return helpScreen(
    program,
    rows,
    `sudo svc-upgrade enroll --endpoint https://proxy.example.com     to begin
svc-upgrade <command> --help                                     its options
Exit status: 0 done or nothing to do, 10 failed and undone, 11 failed,
64 usage, 65 bad answer, 69 needs a hand, 75 tried again by itself,
77 permission, 78 settings. More: man svc-upgrade
`,
  );
}
