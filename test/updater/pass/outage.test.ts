import { describe, expect, test } from "vitest";
import type { ChannelAnswer } from "../../../src/rules/decide/gate-facts.ts";
import { emptyState, type State } from "../../../src/updater/record/state.ts";
import { fakeHost, installed, now, serves } from "./given.ts";
import { offline, pass } from "./stage.ts";

/** The shipped timer's own arithmetic: every ten minutes, spread by up to five. */
const everySeconds = 600;
const spreadSeconds = 300;
const daySeconds = 86_400;

type Tick = { readonly at: number; readonly answer: ChannelAnswer };

/** One host through an outage: what each of its passes did, on a clock that only the test moves. */
async function live(
  ticks: readonly Tick[],
): Promise<{ readonly asked: number; readonly outcomes: readonly string[]; readonly state: State }> {
  let state = emptyState;
  let asked = 0;
  let version = "15.4.5";
  const outcomes: string[] = [];
  for (const { at, answer } of ticks) {
    const host = fakeHost({
      installed: installed(version),
      answer,
      schedule: { kind: "windows", windows: [{ start: now - daySeconds, stop: now + 3 * daySeconds }] },
    });
    const ports = {
      ...host.ports,
      readClock: () => ({ now: at, sinceBootSeconds: at - now, bootId: "boot", isSynchronised: true }),
      askChannel: () => {
        asked += 1;
        return Promise.resolve(answer);
      },
    };
    const { outcome } = await pass({ ports }, { state });
    if (outcome.kind === "moved") version = outcome.to;
    outcomes.push(outcome.kind === "stopped" ? outcome.fault.code : outcome.kind);
    state = host.saved.at(-1) ?? state;
  }
  return { asked, outcomes, state };
}

function ticksOf(host: number, count: number, isUp: (at: number) => boolean): readonly Tick[] {
  // A spread of its own for each host and tick, the same in every run of the test.
  const spread = (tick: number): number => ((host * 7919 + tick * 104_729) % (spreadSeconds * 10)) / 10;
  return Array.from({ length: count }, (_, tick) => {
    const at = Math.floor(now + tick * everySeconds + spread(tick));
    return { at, answer: isUp(at) ? serves("15.4.6") : offline };
  });
}

describe("fifty hosts whose version server is down for a day", () => {
  test("ask once a tick, turn red after a day, and all upgrade at the first tick after it is back", async () => {
    const ticksInADay = daySeconds / everySeconds;
    const backAt = now + daySeconds + 2 * everySeconds;
    const firstTicks: number[] = [];
    for (let host = 0; host < 50; host += 1) {
      const ticks = ticksOf(host, ticksInADay + 6, (at) => at >= backAt);
      const { asked, outcomes } = await live(ticks);
      // No pass asks more often because the ones before it failed, and none less.
      expect(asked).toBe(ticks.length);
      const first = ticks.findIndex(({ at }) => at >= backAt);
      expect(outcomes[first]).toBe("moved");
      expect(outcomes.slice(0, first).every((outcome) => outcome === "channel-unreachable" || outcome === "contact-lost")).toBe(
        true,
      );
      expect(outcomes[0]).toBe("channel-unreachable");
      expect(outcomes[first - 1]).toBe("contact-lost");
      expect(outcomes.slice(first + 1).every((outcome) => outcome === "stayed")).toBe(true);
      firstTicks.push(ticks[first]?.at ?? 0);
    }
    // Within one tick each, and not in the same second.
    expect(Math.max(...firstTicks) - backAt).toBeLessThanOrEqual(everySeconds + spreadSeconds);
    expect(new Set(firstTicks).size).toBeGreaterThan(40);
  });

  test("leaves a state that has not grown", async () => {
    const { state } = await live(ticksOf(1, 200, () => false));
    expect(state.passes).toHaveLength(10);
    expect(JSON.stringify(state).length).toBeLessThan(10_000);
  });
});
