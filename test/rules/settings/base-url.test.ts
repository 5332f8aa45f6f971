import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { channelUrl, parseChannelName, type ChannelName } from "../../../src/rules/channel/path.ts";
import { readBaseUrl, readChannelUrl } from "../../../src/rules/settings/base-url.ts";
import { readEndpoint } from "../../../src/rules/settings/endpoint.ts";
import type { RefusedSetting } from "../../../src/rules/shape/reading.ts";

const base = "https://proxy.example.com";
const channel = `${base}/v1/webapi/automaticupgrades/channel`;
const ofChannel = "the whole address of a channel";

function refusal(found: string, allowed: string): { readonly kind: "refused"; readonly refusals: readonly RefusedSetting[] } {
  return { kind: "refused", refusals: [{ at: "", found, allowed }] };
}

describe("a base URL", () => {
  test.each([
    [`${channel}/default/version`, ofChannel, `${base}, and \`channel\`: default`],
    [`${channel}/default/version/`, ofChannel, `${base}, and \`channel\`: default`],
    [`${channel}/stable/cloud/critical`, ofChannel, `${base}, and \`channel\`: stable/cloud`],
    [`${channel}/stable/cloud`, ofChannel, `${base}, and \`channel\`: stable/cloud`],
    [`${channel}/version`, ofChannel, `${base}, and \`channel\`: version`],
    [channel, ofChannel, base],
    [`${base}/webapi/automaticupgrades/channel/default/version`, ofChannel, `${base}, and \`channel\`: default`],
    [`${base}:3080/below/v1/webapi/automaticupgrades/channel/default`, ofChannel, `${base}:3080/below, and \`channel\`: default`],
    [`${base}/webapi/ping`, "the whole address of ping", base],
    [`${base}/v1/webapi/ping`, "the whole address of ping", base],
  ])("is not %s, which names the one that is meant", (raw, is, meant) => {
    const shown = raw.replace(/\/$/, "");
    expect(readBaseUrl(raw)).toEqual(refusal(`"${shown}", which is ${is}`, `the base URL alone, here ${meant}`));
  });

  test.each([base, `${base}/version`, `${base}/webapi/pingpong`, `${base}/webapi/automaticupgradesx`, `${base}/v1`])(
    "may be %s",
    (raw) => expect(readBaseUrl(raw)).toEqual({ kind: "value", value: raw }),
  );

  test("shows nothing of what may be a secret, and is read as before where it is wrong otherwise", () => {
    for (const raw of [`https://ann:hunter2@proxy.example.com/webapi/ping`, "two words", 443, null]) {
      expect(readBaseUrl(raw)).toEqual(readEndpoint(raw));
      expect(readChannelUrl(raw)).toEqual(readEndpoint(raw));
    }
  });

  test("is never what is asked there, for any channel, and the refusal names both halves", () => {
    const word = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,8}$/);
    const name = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join("/") as ChannelName);
    fc.assert(
      fc.property(name, fc.constantFrom("version" as const, "critical" as const), (named, question) => {
        expect(parseChannelName(named)).toBe(named);
        expect(readBaseUrl(channelUrl(base, named, question))).toMatchObject({
          kind: "refused",
          refusals: [{ allowed: `the base URL alone, here ${base}, and \`channel\`: ${named}` }],
        });
        expect(readChannelUrl(`${channel}/${named}`).kind === "value" || /\/(?:version|critical)$/.test(named)).toBe(true);
        expect(readChannelUrl(channelUrl(base, named, question))).toMatchObject({ kind: "refused" });
      }),
    );
  });
});

describe("a channel's URL", () => {
  test.each([
    [`${channel}/stable/cloud/version`, "/version", `${channel}/stable/cloud`],
    [`${channel}/stable/cloud/critical/`, "/critical", `${channel}/stable/cloud`],
    ["https://updates.example.com/stable/cloud/version", "/version", "https://updates.example.com/stable/cloud"],
  ])("is not %s, which names the one that is meant", (raw, question, meant) => {
    const shown = raw.replace(/\/$/, "");
    const allowed = `the same without that, ${meant}: both questions are added to it`;
    expect(readChannelUrl(raw)).toEqual(refusal(`"${shown}", which ends in ${question}`, allowed));
  });

  test("is not ping's", () => {
    const allowed = `the URL of a channel, here perhaps ${channel}/default`;
    expect(readChannelUrl(`${base}/webapi/ping`)).toEqual(
      refusal(`"${base}/webapi/ping", which is the whole address of ping`, allowed),
    );
  });

  test.each([`${channel}/stable/cloud`, `${channel}/version`, base, "https://updates.example.com/stable/cloud"])(
    "may be %s",
    (raw) => expect(readChannelUrl(raw)).toEqual({ kind: "value", value: raw }),
  );
});
