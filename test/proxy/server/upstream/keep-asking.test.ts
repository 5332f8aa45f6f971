import { describe, expect, test } from "vitest";
import { Fault } from "../../../../src/rules/fault/fault.ts";
import { nothingHeard } from "../../../../src/rules/channel/heard.ts";
import type { ChannelName } from "../../../../src/rules/channel/path.ts";
import type { UpstreamAnswer } from "../../../../src/proxy/server-rules/server-answer.ts";
import type { AskedUpstream } from "../../../../src/proxy/server/upstream/ask.ts";
import { keepAsking, type Upstream } from "../../../../src/proxy/server/upstream/keep-asking.ts";
import type { Endpoint } from "../../../../src/rules/settings/settings.ts";
import { parseVersion } from "../../../../src/rules/version/version.ts";
import { keptLog, type Line } from "../running.ts";

const says = (version: string, isCritical = false): UpstreamAnswer => ({
  served: version === "none" ? { kind: "none" } : { kind: "version", version: parseVersion(version)! },
  isCritical,
  at: 1,
});
const down = (message: string): Fault => new Fault("channel-unreachable", { message, hint: "" });

type Try = UpstreamAnswer | Fault | AskedUpstream | LeavingAlone;
/** An upstream that says for how long it wants to be left alone, and then what it says. */
type LeavingAlone = { readonly aloneMs: number; readonly says: UpstreamAnswer | Fault };
type Kept = {
  readonly lines: readonly Line[];
  readonly waits: readonly number[];
  readonly told: readonly (UpstreamAnswer | undefined)[];
};

/** Lets an upstream behave like this, one try after the other, and then ends. */
async function keeping(tries: readonly (Try | Error)[]): Promise<Kept> {
  const { log, lines } = keptLog();
  const stopping = new AbortController();
  const waits: number[] = [];
  const told: (UpstreamAnswer | undefined)[] = [];
  const left = [...tries];
  const upstream: Upstream = {
    url: "https://a.example" as Endpoint,
    answer: undefined,
    heard: nothingHeard,
    failures: 0,
    trouble: undefined,
  };
  await keepAsking("one" as ChannelName, upstream, {
    ask: async (_asked, _before, leaveAlone) => {
      const tried = left.shift()!;
      if ("aloneMs" in tried) leaveAlone(tried.aloneMs);
      const next = "aloneMs" in tried ? tried.says : tried;
      if (next instanceof Error) throw next;
      return "answer" in next ? next : { answer: next, heard: nothingHeard, uncertain: undefined };
    },
    tell: (_name, { answer }) => void told.push(answer),
    wait: async (ms) => {
      waits.push(ms);
      if (left.length === 0) stopping.abort();
    },
    random: () => 0.5,
    log,
    signal: stopping.signal,
  });
  return { lines, waits, told };
}

describe("an upstream", () => {
  test("is asked every minute while it answers, and the log tells what changes", async () => {
    const { waits, told, lines } = await keeping([
      says("1.2.3"),
      says("1.2.3"),
      says("1.2.4"),
      says("1.2.4", true),
      says("none"),
    ]);
    expect(waits).toEqual([60_000, 60_000, 60_000, 60_000, 60_000]);
    expect(told.map((answer) => answer?.served.kind)).toEqual(["version", "version", "version", "version", "none"]);
    expect(lines.map(({ level, fields }) => [level, fields?.["before"], fields?.["serves"]])).toEqual([
      ["info", undefined, "1.2.3"],
      ["info", "1.2.3", "1.2.4"],
      ["info", "1.2.4", "1.2.4, critical"],
      ["info", "1.2.4, critical", "none"],
    ]);
  });

  test("keeps its last answer while it fails, is asked sooner and then more seldom, and is warned of once", async () => {
    const refused = down("refused");
    const { waits, told, lines } = await keeping([says("1.2.3"), refused, refused, refused, down("timed out"), says("1.2.3")]);
    expect(waits).toEqual([60_000, 1800, 3600, 7200, 14_400, 60_000]);
    expect(told).toEqual(Array.from({ length: 6 }, () => says("1.2.3")));
    expect(lines.slice(1).map(({ level, sentence, fields }) => [level, sentence, fields?.["why"]])).toEqual([
      ["warning", "an upstream gives no version", "refused"],
      ["debug", "an upstream gives no version", "refused"],
      ["debug", "an upstream gives no version", "refused"],
      ["warning", "an upstream gives no version", "timed out"],
      ["notice", "the upstream answers again", undefined],
    ]);
  });

  test("that wants to be left alone is asked when it allows it, and the log says for how long", async () => {
    const crowded = down("status 429");
    const { waits, lines } = await keeping([
      { aloneMs: 120_000, says: crowded },
      crowded,
      { aloneMs: 300_000, says: says("1.2.3") },
      says("1.2.3"),
    ]);
    expect(waits).toEqual([132_000, 3600, 330_000, 60_000]);
    expect(lines.map(({ fields }) => fields?.["retry_after_seconds"])).toEqual([120, undefined, undefined]);
  });

  test("that never answered is told of as one without an answer", async () => {
    expect((await keeping([down("refused")])).told).toEqual([undefined]);
  });

  test("that is unclear about critical is warned of once", async () => {
    const unclear: AskedUpstream = { answer: says("1.2.3"), heard: nothingHeard, uncertain: "status 500" };
    const { lines } = await keeping([unclear, unclear]);
    expect(lines.map(({ level, sentence }) => [level, sentence])).toEqual([
      ["info", "a forwarded channel serves another version"],
      ["warning", "it is not known whether the upstream's version is critical"],
    ]);
  });

  test("ends the program if its own code fails", async () => {
    await expect(keeping([new TypeError("no function")])).rejects.toThrow("no function");
  });
});
