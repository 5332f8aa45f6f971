import type { RunCommand } from "../../../machine/processes/command.ts";
import { aptExaminer } from "../../package/apt/apt-examiner.ts";
import type { PackageExaminer } from "../../package/manager/examiner.ts";
import { yumExaminer } from "../../package/yum/yum-examiner.ts";
import { zypperExaminer } from "../../package/zypper/zypper-examiner.ts";
import type { UnitName } from "../../../rules/settings/settings.ts";
import { unitControl } from "../../unit/systemctl.ts";

/** One for each family of package managers. */
export function examinersFor(run: RunCommand, root: string): readonly PackageExaminer[] {
  const isActive = async (unit: string): Promise<boolean> => (await unitControl(run).show(unit as UnitName)).active === "active";
  const effects = { run, root, isActive };
  return [aptExaminer(effects), yumExaminer(effects), zypperExaminer(effects)];
}
