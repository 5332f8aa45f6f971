import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Command, CommandResult } from "../../../../src/machine/processes/command.ts";
import { aptManager } from "../../../../src/updater/package/apt/apt-manager.ts";
import type { Change } from "../../../../src/updater/package/manager/manager.ts";
import type { ProxyVariables } from "../../../../src/rules/route/route.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";
import type { PackageVersion } from "../../../../src/rules/version/wrapped.ts";

const root = mkdtempSync(join(tmpdir(), "svc-upgrade-routes-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const change: Change = {
  name: "svc-ent" as PackageName,
  to: "15.4.6" as PackageVersion,
  direction: "up",
  hold: "none",
  beside: [],
};

/** What apt was called with to install, and its routes as they lay there meanwhile. */
async function install(proxies: ProxyVariables): Promise<{ acted: Omit<Command, "timeoutMs">; asked: number; config: string }> {
  const exited = (stdout: string): CommandResult => ({ kind: "exited", status: 0, stdout, stderr: "" });
  let asked = 0;
  let acted: Omit<Command, "timeoutMs"> = { argv: ["none"], env: {} };
  let config = "";
  const manager = aptManager({
    root,
    proxies,
    run: async () => {
      asked += 1;
      return exited("'http://a.test:81/x/InRelease' a.test 0 \n");
    },
    transact: async (call) => {
      acted = call;
      const at = call.argv.indexOf("-c");
      config = at === -1 ? "" : readFileSync(call.argv[at + 1] ?? "", "utf8");
      return exited("");
    },
  });
  await manager.install(change, []);
  expect(readdirSync(root)).toEqual([]);
  return { acted, asked, config };
}

describe("a call of apt that reaches out", () => {
  test("is given its routes in a file, and the password in nothing else", async () => {
    const { acted, config } = await install({ HTTP_PROXY: "http://fleet:planted@p.example:3128", NO_PROXY: "b.example" });
    expect(acted.argv).toContain("-c");
    expect(config).toContain('Acquire::http::Proxy::a.test "http://fleet:planted@p.example:3128";\n');
    expect(acted.env["no_proxy"]).toBe(".b.example");
    expect(JSON.stringify(acted)).not.toContain("planted");
  });

  test("is an ordinary one without proxies, and no other is made before it", async () => {
    const { acted, asked, config } = await install({ NO_PROXY: "b.example" });
    expect(acted.argv).not.toContain("-c");
    expect([asked, config, acted.env["no_proxy"]]).toEqual([0, "", ""]);
  });
});
