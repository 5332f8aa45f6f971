import { expectMoved, expectStay } from "../expect-pass.ts";
import { onApt, type Row } from "../scenario.ts";
import type { Stage } from "../stage.ts";
import { serveNext } from "../staging.ts";

const stateFile = "/var/lib/svc-upgrade-decide/state.json";
const day = 86_400;

/** The host shares the machine's clock: it is the record's that is put forward or back. */
export const clocks: Row = {
  scenarios: [
    ...onApt(27, "the clock has gone back by two days since the last pass: doubted once, and then believed", async (stage) => {
      const version = await serveNext(stage);
      await redate(stage, 2 * day);
      await expectStay(stage, "clock");
      await expectMoved(stage, version);
    }),
    ...onApt(27, "the clock has gone back by a few minutes since the last pass", async (stage) => {
      const version = await serveNext(stage);
      await redate(stage, 600);
      await expectMoved(stage, version);
    }),
    ...onApt(27, "the host was off for a year", async (stage) => {
      const version = await serveNext(stage);
      await redate(stage, -365 * day);
      await expectMoved(stage, version);
    }),
    ...onApt(27, "no data of time zones", async (stage) => {
      await stage.host.mustRun(["sh", "-c", "rm -rf /usr/share/zoneinfo /etc/localtime"]);
      await expectMoved(stage, await serveNext(stage));
    }),
  ],
  unstaged: [
    {
      row: 27,
      name: "a clock that says 1970, or jumps while a pass lasts",
      why: "hosts share the machine's clock, and a library that shows another cannot change the times of files; tables have the verdicts",
    },
    {
      row: 27,
      name: "the change to summer time, leap days, the end of a year",
      why: "windows are integers in UTC, and nothing of these reaches them; table and property tests walk through years",
    },
  ],
};

/** As if the last pass had been by a clock that was so far ahead. */
async function redate({ host }: Stage, ahead: number): Promise<void> {
  const state = JSON.parse(await host.read(stateFile)) as { readonly clock: { readonly now: number } };
  await host.write(stateFile, JSON.stringify({ ...state, clock: { ...state.clock, now: state.clock.now + ahead } }));
}
