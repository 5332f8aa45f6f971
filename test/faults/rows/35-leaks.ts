import { ok } from "node:assert/strict";
import { expectStay } from "../expect-pass.ts";
import { tick } from "../pass.ts";
import { onApt, type Row } from "../scenario.ts";
import type { Stage } from "../stage.ts";
import { serve } from "../staging.ts";

const ticks = 1000;
/** The first passes fill the lists that are bounded. */
const warmUp = 20;
/** What a journal's own blocks and a busy machine make of a measurement. */
const slackPages = 512;

/** What may grow; each by itself. */
type Measured = Readonly<
  Record<"stateBytes" | "diskKilobytes" | "journalBytes" | "descriptors" | "zombies" | "units" | "memoryPages", number>
>;

export const leaks: Row = {
  scenarios: onApt(35, `${ticks} passes in a row leave nothing behind`, async (stage) => {
    serve(stage, stage.current());
    for (let passes = 0; passes < warmUp; passes += 1) await tick(stage.host);
    const before = await measure(stage);
    for (let passes = 0; passes < ticks; passes += 1) await tick(stage.host);
    const after = await measure(stage);
    await expectStay(stage, "current");
    const grown = (what: keyof Measured): number => after[what] - before[what];
    ok(grown("stateBytes") < 100, `the state grew by ${grown("stateBytes")} bytes`);
    ok(grown("diskKilobytes") < 100, `its folders grew by ${grown("diskKilobytes")} kB`);
    ok(grown("zombies") <= 0, `${grown("zombies")} zombies`);
    ok(grown("units") <= 0, `${grown("units")} more units`);
    ok(grown("descriptors") <= 2, `${grown("descriptors")} more descriptors of PID 1`);
    ok(grown("memoryPages") <= slackPages, `${grown("memoryPages")} more pages of PID 1`);
    const journal = Math.round(grown("journalBytes") / ticks);
    ok(journal < 2000, `${journal} bytes of journal for each pass`);
    return `${journal} bytes of journal each; else nothing`;
  }),
  unstaged: [],
};

const script = `
echo $(stat --format=%s /var/lib/svc-upgrade/state.json) \\
  $(du --summarize --kilobytes /var/lib/svc-upgrade /run/svc-upgrade /run/svc-upgrade-ask /var/lib/private 2>/dev/null | awk '{ all += $1 } END { print all }') \\
  $(journalctl --unit=svc-upgrade.service --unit=svc-upgrade-ask.service --output=cat | wc --bytes) \\
  $(ls /proc/1/fd | wc --lines) \\
  $(ps -eo stat= | grep -c '^Z') \\
  $(systemctl list-units --all --no-legend | wc --lines) \\
  $(awk '{ print $2 }' /proc/1/statm)
`;

async function measure({ host }: Stage): Promise<Measured> {
  const { stdout } = await host.enter(["sh", "-c", script]);
  const [stateBytes = 0, diskKilobytes = 0, journalBytes = 0, descriptors = 0, zombies = 0, units = 0, memoryPages = 0] = stdout
    .trim()
    .split(" ")
    .map(Number);
  return { stateBytes, diskKilobytes, journalBytes, descriptors, zombies, units, memoryPages };
}
