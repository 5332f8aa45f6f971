import { deepEqual } from "node:assert/strict";
import { passesInARow } from "../../system/soak/passes.ts";
import { isFlat } from "../../system/soak/rows.ts";
import { expectStay } from "../expect-pass.ts";
import { onApt, type Row } from "../scenario.ts";
import { serve } from "../staging.ts";

/** `npm run soak` plays 1,000. */
const passes = 100;

export const leaks: Row = {
  scenarios: onApt(35, `${passes} passes in a row leave nothing behind`, async (stage) => {
    const rows = await passesInARow(stage, [`v${stage.current()}`], passes);
    const grown = rows.filter((row) => !isFlat(row));
    deepEqual(grown, []);
    serve(stage, stage.current());
    await expectStay(stage, "current");
    return `${rows.length} figures are flat`;
  }),
  unstaged: [],
};
