import { afterAll, describe, test } from "vitest";
import { familyOf, type Suite } from "../lab/base.ts";
import { inLab } from "../lab/scenario.ts";
import { begin, openScene } from "../table/scene.ts";
import { sharedMachine } from "../table/shared-machine.ts";
import { rows } from "./rows.ts";
import { playHint } from "./type.ts";

/** One after the other on one host. */
export function hintsOn(suite: Suite): void {
  const family = familyOf(suite);
  const played = rows.filter(({ families = ["apt"] }) => families.includes(family));
  const machine = sharedMachine(suite, { open: openScene, begin });
  describe(`the hint, typed on ${suite}, helps against`, () => {
    afterAll(machine.stop);
    for (const row of played) {
      // oxlint-disable-next-line vitest/expect-expect -- what is expected stands in the row
      test(
        row.of,
        inLab(() => machine.play({ play: (scene) => playHint(row, scene) })),
      );
    }
  });
}
