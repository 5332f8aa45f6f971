import { describe, expect, test } from "vitest";
import type { Command, CommandResult } from "../../../src/machine/processes/command.ts";
import type { UnitName } from "../../../src/rules/settings/settings.ts";
import { lookAround, parseNeighbours, withNeighbours } from "../../../src/updater/unit/systemctl.ts";
import { parseShown, type ShownUnit } from "../../../src/updater/unit/shown.ts";
import { running } from "./given.ts";

const unit = "svc.service" as UnitName;

/** As systemd 252 and 257 print it alike, of a script in /etc/init.d that is started at boot. */
const script = `Type=forking
MainPID=0
Result=success
NRestarts=0
RequiredBy=
WantedBy=multi-user.target graphical.target
TriggeredBy=
LoadState=loaded
ActiveState=active
SubState=running
SourcePath=/etc/init.d/svc
UnitFileState=generated
`;
/** Of a service without [Install] whose socket is on. */
const activated = `Type=simple
MainPID=0
Result=success
NRestarts=0
RequiredBy=
WantedBy=
TriggeredBy=svc.socket
LoadState=loaded
ActiveState=inactive
SubState=dead
SourcePath=
UnitFileState=static
`;

const neighbour = (id: string, active: string, file: string, load: string = "loaded"): string =>
  `Id=${id}\nLoadState=${load}\nActiveState=${active}\nUnitFileState=${file}\n`;

async function seen(
  printed: string,
  ...neighbours: readonly string[]
): Promise<ShownUnit & { readonly asked: readonly string[] }> {
  let asked: readonly string[] = [];
  const run = async ({ argv }: Command): Promise<CommandResult> => {
    asked = argv.slice(argv.indexOf("--") + 1);
    return { kind: "exited", status: 0, stdout: neighbours.join("\n"), stderr: "" };
  };
  return { ...(await lookAround(run, unit, parseShown(printed))), asked };
}

describe("what brings a unit up", () => {
  test("is not looked for where its own links do", async () => {
    expect(await seen(script.replace("generated", "enabled"))).toMatchObject({ isEnabled: true, unitFile: "enabled", asked: [] });
  });

  test("is not looked for where it is masked or missing", async () => {
    expect(await seen(script.replace("=loaded", "=masked"))).toMatchObject({ isEnabled: false, isMasked: true, asked: [] });
  });

  test("is a runlevel, of a script of the time before systemd", async () => {
    const shown = await seen(script, neighbour("multi-user.target", "active", "static"));
    expect(shown).toMatchObject({ isEnabled: true, unitFile: "script", type: "forking", trigger: undefined });
    expect(shown.asked).toEqual(["multi-user.target", "graphical.target", "svc.socket", "svc.timer", "svc.path"]);
  });

  test("is nothing, of a script without links", async () => {
    expect(
      await seen(script.replace(/^WantedBy=.*$/m, "WantedBy="), neighbour("svc.socket", "inactive", "", "not-found")),
    ).toMatchObject({
      isEnabled: false,
      trigger: undefined,
    });
  });

  test("is no unit that is down itself", async () => {
    expect(await seen(script, neighbour("multi-user.target", "inactive", "static"))).toMatchObject({ isEnabled: false });
  });

  test.each([
    ["active", "disabled", { state: "waiting", isEnabled: false }],
    ["failed", "enabled", { state: "failed", isEnabled: true }],
    ["inactive", "disabled", { state: "off", isEnabled: false }],
  ])("is its socket, which is %s and %s", async (active, file, trigger) => {
    const shown = await seen(activated, neighbour("svc.socket", active, file));
    expect(shown).toMatchObject({
      unitFile: "static",
      isEnabled: trigger.isEnabled,
      trigger: { unit: "svc.socket", ...trigger },
    });
  });

  test("is of several the one that waits", () => {
    const blocks = [neighbour("svc.socket", "inactive", "enabled"), neighbour("svc.timer", "active", "enabled")].join("\n");
    expect(withNeighbours(running, parseNeighbours(blocks)).trigger?.unit).toBe("svc.timer");
  });
});
