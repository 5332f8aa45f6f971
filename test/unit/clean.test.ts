import { describe, expect, test } from "vitest";
import type { Command, CommandResult } from "../../src/host/command.ts";
import type { UnitName } from "../../src/settings/settings.ts";
import { unitControl } from "../../src/unit/systemctl.ts";

const unit = "svc-upgrade-ask.service" as UnitName;
const clean = "systemctl clean --what=runtime -- svc-upgrade-ask.service";
const inTheWay = "Failed to clean unit svc-upgrade-ask.service: Unit is not inactive or has pending job.";

/** What was typed, and what came of it, where the first so many cleanings are refused. */
async function cleaning(refusals: number): Promise<{ readonly typed: readonly string[]; readonly said: string | undefined }> {
  const typed: string[] = [];
  const run = async ({ argv }: Command): Promise<CommandResult> => {
    typed.push(argv.join(" "));
    const isRefused = argv[1] === "clean" && typed.filter((line) => line === clean).length <= refusals;
    return { kind: "exited", status: isRefused ? 1 : 0, stdout: "", stderr: isRefused ? `${inTheWay}\n` : "" };
  };
  return { said: await unitControl(run).clean(unit), typed };
}

describe("the runtime directory of a unit", () => {
  const forgiven = "systemctl reset-failed -- svc-upgrade-ask.service";

  test("is cleaned at once, and after a failure once that is forgotten", async () => {
    expect(await cleaning(0)).toEqual({ said: undefined, typed: [clean] });
    expect(await cleaning(1)).toEqual({ said: undefined, typed: [clean, forgiven, clean] });
  });

  test("stays as it is where systemd will not, and that is said", async () => {
    expect(await cleaning(2)).toEqual({ said: inTheWay, typed: [clean, forgiven, clean] });
  });
});
