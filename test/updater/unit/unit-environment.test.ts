import { describe, expect, test } from "vitest";
import type { CommandResult } from "../../../src/machine/processes/command.ts";
import type { UnitName } from "../../../src/rules/settings/settings.ts";
import { environmentFilesOf, parseShownEnvironment, unitEnvironment } from "../../../src/updater/unit/unit-environment.ts";

describe("the environment of a unit, as systemctl shows it", () => {
  test.each([
    ['"A=say \\"no\\" for \\$5 \\\\ or \\`less\\`"', { A: 'say "no" for $5 \\ or `less`' }],
    ['"A=two\\nlines\\tand more"', { A: "two\nlines\tand more" }],
  ])("%s", (shown, environment) => {
    expect(parseShownEnvironment(shown)).toEqual(environment);
  });
});

describe("a unit that is asked for its environment", () => {
  const unit = "svc.service" as UnitName;
  const says = (stdout: string) => (): Promise<CommandResult> =>
    Promise.resolve({ kind: "exited", status: 0, stdout, stderr: "" });

  test("has the variables of its own files", async () => {
    expect(await unitEnvironment(says('Environment=A=1 "B=two words"\n'), unit)).toEqual({ A: "1", B: "two words" });
  });

  test("names the files that more of them are in, needed or not", async () => {
    const shown =
      "EnvironmentFiles=/etc/default/svc (ignore_errors=yes)\nEnvironmentFiles=/etc/a file (ignore_errors=no)\nEnvironmentFiles=\n";
    expect(await environmentFilesOf(says(shown), unit)).toEqual(["/etc/default/svc", "/etc/a file"]);
  });
});
