import { describe, expect, test } from "vitest";
import { nothingHeard } from "../../../../src/rules/channel/heard.ts";
import type { ChannelName } from "../../../../src/rules/channel/path.ts";
import { Fault } from "../../../../src/rules/fault/fault.ts";
import { Answers } from "../../../../src/proxy/server/prepared-answers.ts";
import { Meter } from "../../../../src/proxy/server/meter.ts";
import { keepAsking, type Upstream } from "../../../../src/proxy/server/upstream/keep-asking.ts";
import type { UpstreamAnswer } from "../../../../src/proxy/server-rules/server-answer.ts";
import type { Endpoint } from "../../../../src/rules/settings/settings.ts";
import { parseVersion } from "../../../../src/rules/version/version.ts";
import { channelPath, keptLog, loaded } from "../running.ts";

const one = "one" as ChannelName;
const hour = 3600;
const start = 1_800_000_000;
const served = { kind: "version", version: parseVersion("15.4.6")! } as const;

type Seen = { readonly at: number; readonly status: number; readonly body: string };

/** What the channel answers after each try, while its upstream is down from one moment to another. */
async function through(
  downFrom: number,
  downTo: number,
  end: number,
): Promise<{ readonly seen: readonly Seen[]; readonly warnings: number }> {
  const { configuration } = await loaded("{one: {forward_url: https://a.example}}");
  const answers = new Answers(configuration, new Meter());
  const { log, lines } = keptLog();
  const stopping = new AbortController();
  const seen: Seen[] = [];
  let now = start;
  const upstream: Upstream = {
    url: "https://a.example" as Endpoint,
    answer: undefined,
    heard: nothingHeard,
    failures: 0,
    trouble: undefined,
  };
  await keepAsking(one, upstream, {
    ask: async () => {
      const isDown = now - start >= downFrom && now - start < downTo;
      if (isDown) throw new Fault("channel-unreachable", { message: "refused", hint: "" });
      const answer: UpstreamAnswer = { served, isCritical: false, at: now };
      return { answer, heard: nothingHeard, uncertain: undefined };
    },
    tell: (name, { answer }) => {
      answers.tell(name, answer, now);
      const found = answers.find(channelPath(one));
      const prepared = "kind" in found ? undefined : found.answer;
      seen.push({ at: now - start, status: prepared?.status ?? 0, body: prepared?.body ?? "" });
    },
    wait: async (ms) => {
      now += ms / 1000;
      if (now - start >= end) stopping.abort();
    },
    random: () => 0.5,
    log,
    signal: stopping.signal,
  });
  return { seen, warnings: lines.filter(({ level }) => level === "warning").length };
}

describe("an upstream that is down", () => {
  test("for an hour is noticed by nobody but the log, which says it once", async () => {
    const { seen, warnings } = await through(60, 60 + hour, 2 * hour);
    expect(new Set(seen.map(({ status, body }) => `${status} ${body}`))).toEqual(new Set(["200 v15.4.6\n"]));
    expect(warnings).toBe(1);
    // A try a minute, and a few more at the beginning.
    expect(seen.length).toBeLessThan(140);
  });

  test("for a night is 503 once its last answer is six hours old, and well within a minute of its return", async () => {
    const { seen } = await through(60, 60 + 8 * hour, 9 * hour);
    const refused = seen.filter(({ status }) => status === 503);
    expect(refused[0]?.at).toBeGreaterThan(6 * hour);
    expect(refused[0]?.at).toBeLessThanOrEqual(6 * hour + 120);
    const back = seen.find(({ at, status }) => at > (refused.at(-1)?.at ?? 0) && status === 200);
    expect(back?.at).toBeLessThanOrEqual(60 + 8 * hour + 60);
  });
});
