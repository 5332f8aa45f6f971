import { describe, expect, test } from "vitest";
import { makeRoot, missingForRoots, program, type Ended } from "./given.ts";

const here = { behind: [] };
const file = "HTTPS_PROXY=http://fleet:planted%2FS3cret@proxy.example:3128\nNO_PROXY=corp.example,10.0.0.0/8\n";

/** With that as the agent's environment file, below a root of its own. */
function routeBelow(
  args: readonly string[],
  given: { readonly text?: string; readonly env?: Record<string, string> },
): Promise<Ended> {
  const root = makeRoot();
  if (given.text !== undefined) root.write("etc/default/svc", given.text, 0o600);
  root.write("etc/svc-upgrade/10.yaml", "endpoint: https://cluster.example/base\nchannel: stable/cloud\n");
  return program(["route", ...args, "--root", root.path], { env: given.env ?? {} });
}

describe.skipIf(missingForRoots() !== undefined)("svc-upgrade route", () => {
  test.each<{ url: string; env?: Record<string, string>; says: RegExp }>([
    { url: "https://a.example", says: /^proxy http:\/\/proxy\.example:3128 \(HTTPS_PROXY in \S+\/etc\/default\/svc\)\n$/ },
    {
      url: "https://a.example",
      env: { https_proxy: "https://other.example:3129" },
      says: /^proxy https:\/\/other\.example:3129 \(https_proxy in the environment\)\n$/,
    },
    { url: "https://a.example", env: { HTTPS_PROXY: "" }, says: /^direct \(no HTTPS_PROXY is set\)\n$/ },
  ])("to $url says the way and the rule: $says", async ({ url, env, says }) => {
    const { status, stdout, stderr } = await routeBelow([url], { text: file, ...(env === undefined ? {} : { env }) });
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(says);
  });

  test("without a URL is the route to the channel's version", async () => {
    const { status, stdout } = await routeBelow(["--json"], { text: file });
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      schema: 1,
      url: "https://cluster.example/base/v1/webapi/automaticupgrades/channel/stable/cloud/version",
      route: "proxy",
      proxy: "http://proxy.example:3128",
      rule: expect.stringMatching(/^HTTPS_PROXY in \S+\/etc\/default\/svc$/) as string,
    });
  });

  test("never shows the password", async () => {
    for (const args of [["https://a.example"], ["https://a.example", "--json"], ["--log-level", "debug"]]) {
      const { stdout, stderr } = await routeBelow(args, { text: file });
      expect(stdout + stderr).toContain("proxy.example:3128");
      expect(stdout + stderr).not.toMatch(/planted|S3cret|fleet/);
    }
  });

  test("warns of entries of NO_PROXY that mean nothing", async () => {
    const env = { NO_PROXY: "corp example, 10.0.0.0/99,good.example" };
    const { status, stderr } = await routeBelow(["https://a.example"], { env });
    expect(status).toBe(0);
    expect(stderr).toContain('entry="corp example"');
    expect(stderr).toContain("10.0.0.0/99");
    expect(stderr).not.toContain("good.example");
  });

  test("is asked for nothing but what it is asked: a URL needs no endpoint, and no other argument is one", async () => {
    const root = makeRoot();
    const direct = await program(["route", "https://a.example", "--root", root.path]);
    expect([direct.status, direct.stdout]).toEqual([0, "direct (no HTTPS_PROXY is set)\n"]);
    expect((await program(["route", "--root", root.path])).status).toBe(78);
    expect((await program(["route", "not a url"], here)).status).toBe(64);
    expect((await program(["route", "https://a.example", "https://b.example"], here)).status).toBe(64);
  });
});
