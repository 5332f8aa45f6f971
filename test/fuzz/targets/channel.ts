import type * as Answer from "../../../src/channel/answer.ts";
import type * as Path from "../../../src/channel/path.ts";
import { accepted, compare, finding, isPrintableLine } from "../compare.ts";
import { naiveChannelName, naiveCritical, naiveServed } from "../naive/channel.ts";
import type { Random } from "../random.ts";
import { moduleOf } from "../source.ts";
import { target, type Target, type Verdict } from "../target.ts";
import { channelText, near, versionText } from "../texts.ts";

/** Bytes, so that a text may also be spoiled below its characters. */
function body(sample: (random: Random) => string): (random: Random) => Uint8Array {
  const text = near(
    (random) => random.pick(["", "", " ", "\n", "\ufeff"]) + sample(random) + random.pick(["", "\n", "\r\n", " "]),
  );
  return (random) => {
    const bytes = Uint8Array.from(Buffer.from(text(random), "utf8"));
    if (random.onceIn(12)) return Uint8Array.from(Buffer.from(text(random), "utf16le"));
    if (bytes.length > 0 && random.onceIn(6)) bytes[random.below(bytes.length)] = random.below(256);
    return random.onceIn(12) ? bytes.subarray(0, random.below(bytes.length + 1)) : bytes;
  };
}

type Reading = { readonly kind: string; readonly found?: string };

function judge(reading: Reading, expected: object | undefined): Verdict {
  if (reading.kind !== "refused") return compare(reading, expected);
  const { found = "" } = reading;
  if (!isPrintableLine(found) || found.length > 150) return finding(`a refusal that is no short printable line: ${found}`);
  return compare(undefined, expected);
}

const served: Target = target({
  name: "answer-version",
  generate: body((random) =>
    random.pick([versionText, versionText, () => random.pick(["none", "None", "<html>", "null"])])(random),
  ),
  load: async (source) => {
    const { parseServed } = await moduleOf<typeof Answer>(source, "channel/answer.ts");
    return (input) => judge(parseServed(input), naiveServed(input));
  },
});

const critical: Target = target({
  name: "answer-critical",
  generate: body((random) => random.pick(["yes", "true", "no", "false", "Yes", "TRUE", "1", "0", "none"])),
  load: async (source) => {
    const { parseCritical } = await moduleOf<typeof Answer>(source, "channel/answer.ts");
    return (input) => judge(parseCritical(input), naiveCritical(input));
  },
});

const name: Target = target({
  name: "channel-name",
  generate: near(channelText),
  load: async (source) => {
    const { channelUrl, parseChannelName } = await moduleOf<typeof Path>(source, "channel/path.ts");
    return (input) => {
      const found = parseChannelName(input);
      const verdict = compare(found, naiveChannelName(input));
      if (verdict !== accepted || found === undefined) return verdict;
      // Whatever the name is, the question goes to that path of that host, letter by letter.
      const url = new URL(channelUrl("https://proxy.example/base", found, "version"));
      const path = `/base/v1/webapi/automaticupgrades/channel/${input}/version`;
      return url.href === `https://proxy.example${path}` ? verdict : finding(`is asked at ${url.href}`);
    };
  },
});

export const channelTargets: readonly Target[] = [served, critical, name];
