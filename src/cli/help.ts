import type { Command } from "commander";

/** The whole program on one screen of 24 lines and 80 columns: what there is, how to begin, what the exit statuses say. */
export function programHelp(program: Command): string {
  const shown = program.createHelp().visibleCommands(program);
  const width = Math.max(...shown.map((command) => command.name().length));
  const commands = shown.map((command) => `  ${command.name().padEnd(width)}  ${command.description()}`);
  return `Usage: svc-upgrade <command> [options]

${program.description()}

${commands.join("\n")}

sudo svc-upgrade enroll --endpoint https://proxy.example.com     to begin
svc-upgrade <command> --help                                     its options
Exit status: 0 done or nothing to do, 10 failed and undone, 11 failed,
64 usage, 65 bad answer, 69 needs a hand, 75 tried again by itself,
77 permission, 78 settings. More: man svc-upgrade
`;
}
