import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ChannelName } from "../../../src/rules/channel/path.ts";
import { fragmentText, tellFragment } from "../../../src/updater/enroll/fragment.ts";
import { readAnyYaml, readYaml } from "../../../src/machine/yaml/read-yaml.ts";
import { readEndpoint } from "../../../src/rules/settings/endpoint.ts";
import type { Endpoint, PackageName, UnitName } from "../../../src/rules/settings/settings.ts";

const endpoint = "https://proxy.example.com" as Endpoint;

describe("the fragment", () => {
  test("says in its first line who wrote it, and holds only what was given", () => {
    const text = fragmentText({ endpoint, channel: undefined, package: undefined, unit: undefined });
    expect(text).toMatch(/^# Written by svc-upgrade enroll\. .*20-local\.yaml\.\nendpoint: "https:\/\/proxy\.example\.com"\n$/);
    expect(tellFragment(text)).toBe("endpoint https://proxy.example.com");
  });

  test("holds a channel called stable/cloud as that text", async () => {
    const text = fragmentText({
      endpoint,
      channel: "stable/cloud" as ChannelName,
      package: "nginx" as PackageName,
      unit: "nginx@a\\x2db.service" as UnitName,
    });
    const value = { endpoint, channel: "stable/cloud", agent: { package: "nginx", unit: "nginx@a\\x2db.service" } };
    expect(await readYaml(text)).toEqual({ kind: "value", value });
    expect(await readAnyYaml(text)).toEqual({ kind: "value", value });
    expect(tellFragment(text)).toContain(", channel stable/cloud, package nginx, unit nginx@");
  });

  test("gives back every endpoint that the settings allow", async () => {
    await fc.assert(
      fc.asyncProperty(fc.webUrl(), async (url) => {
        const reading = readEndpoint(url);
        fc.pre(reading.kind === "value");
        const text = fragmentText({ endpoint: reading.value, channel: undefined, package: undefined, unit: undefined });
        expect(await readYaml(text)).toEqual({ kind: "value", value: { endpoint: reading.value } });
      }),
    );
  });
});
