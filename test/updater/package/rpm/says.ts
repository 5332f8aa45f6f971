import type { Command, RunCommand } from "../../../../src/machine/processes/command.ts";

/** An rpm that answers this, whatever it is asked, and what it was asked. */
export function rpmThatSays(
  stdout: string,
  { status = 0, stderr = "" }: { readonly status?: number; readonly stderr?: string } = {},
): { readonly run: RunCommand; readonly asked: Command[] } {
  const asked: Command[] = [];
  const run: RunCommand = (command) => {
    asked.push(command);
    return Promise.resolve({ kind: "exited", status, stdout, stderr });
  };
  return { run, asked };
}
