import assert from "node:assert";
import type * as AnswerModule from "../../../src/rules/channel/answer.ts";
import type * as PathModule from "../../../src/rules/channel/path.ts";
import { near } from "../mutate.ts";
import type { Random } from "../random.ts";
import { moduleOf } from "../source.ts";
import { taken, target, type Reading, type Target } from "../target.ts";
import { channelText, versionText } from "../texts.ts";

/** Bytes, so that a text may also be spoiled below its characters. */
function body(sample: (random: Random) => string): (random: Random) => Uint8Array {
  const text = near((random) => `${random.pick(["", "", " ", "\ufeff"])}${sample(random)}${random.pick(["", "\n", "\r\n"])}`);
  return (random) => {
    const bytes = bytesOf(text(random));
    if (bytes.length > 0 && random.onceIn(6)) bytes[random.below(bytes.length)] = random.below(256);
    return bytes;
  };
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, "utf8"));
}

type Answer = AnswerModule.Served | AnswerModule.Critical;

function reading<Value extends Answer>(found: Value | AnswerModule.RefusedBody): Reading<Value> {
  return found.kind === "refused" ? { kind: "refused", told: [found.found] } : { kind: "accepted", value: found };
}

const served: Target = target({
  name: "answer-version",
  generate: body((random) => random.pick([versionText(random), versionText(random), "none", "None", "<html>", "null"])),
  load: async (source) => {
    const { parseServed } = await moduleOf<typeof AnswerModule>(source, "rules/channel/answer.ts");
    return {
      read: (input) => reading(parseServed(input)),
      print: (value) => bytesOf(value.kind === "none" ? "none" : value.version),
    };
  },
});

const critical: Target = target({
  name: "answer-critical",
  generate: body((random) => random.pick(["yes", "true", "no", "false", "Yes", "TRUE", "1", "none"])),
  load: async (source) => {
    const { parseCritical } = await moduleOf<typeof AnswerModule>(source, "rules/channel/answer.ts");
    return {
      read: (input) => reading(parseCritical(input)),
      print: (value) => bytesOf(value.kind === "critical" ? "yes" : "no"),
    };
  },
});

const name: Target = target({
  name: "channel-name",
  generate: near(channelText),
  load: async (source) => {
    const { channelUrl, parseChannelName } = await moduleOf<typeof PathModule>(source, "rules/channel/path.ts");
    return {
      read: (input) => {
        const found = parseChannelName(input);
        if (found !== undefined) {
          const { href } = new URL(channelUrl("https://proxy.example/base", found, "version"));
          assert.equal(href, `https://proxy.example/base/v1/webapi/automaticupgrades/channel/${input}/version`);
        }
        return taken(found);
      },
      print: (value) => value,
    };
  },
});

export const channelTargets: readonly Target[] = [served, critical, name];
