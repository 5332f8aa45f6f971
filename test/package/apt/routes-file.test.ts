import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { Command, CommandResult } from "../../../src/host/command.ts";
import { routesPath, withRoutesFile } from "../../../src/package/apt/routes-file.ts";
import { aptManager } from "../../../src/package/apt.ts";
import type { Change } from "../../../src/package/manager.ts";
import type { ProxyVariables } from "../../../src/route/route.ts";
import type { PackageName } from "../../../src/settings/settings.ts";
import type { PackageVersion } from "../../../src/version/wrapped.ts";

const scratch = mkdtempSync(join(tmpdir(), "svc-upgrade-routes-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
let path = "";
let count = 0;
beforeEach(() => {
  path = routesPath(join(scratch, String((count += 1))));
});

describe("the file with apt's routes", () => {
  test("is there for the work alone, for its owner alone", async () => {
    const result = await withRoutesFile(path, "text\n", async () => {
      expect(statSync(path).mode & 0o777).toBe(0o600);
      return readFileSync(path, "utf8");
    });
    expect(result).toBe("text\n");
    expect(existsSync(path)).toBe(false);
  });

  test("is gone after a failure too", async () => {
    await expect(withRoutesFile(path, "text\n", () => Promise.reject(new Error("the work")))).rejects.toThrow("the work");
    expect(existsSync(path)).toBe(false);
  });

  test("never goes into a file that is there, nor through a link", async () => {
    const other = join(scratch, "other");
    writeFileSync(other, "mine\n", { mode: 0o666 });
    mkdirSync(join(path, ".."), { recursive: true });
    symlinkSync(other, path);
    await withRoutesFile(path, "text\n", async () => expect(statSync(path).mode & 0o777).toBe(0o600));
    expect(readFileSync(other, "utf8")).toBe("mine\n");
  });

  test("is a fault where it cannot be written", async () => {
    writeFileSync(join(scratch, "file"), "");
    await expect(withRoutesFile(join(scratch, "file/x"), "text\n", async () => undefined)).rejects.toMatchObject({
      code: "file-failed",
    });
  });
});

const change: Change = {
  name: "svc-ent" as PackageName,
  to: "15.4.6" as PackageVersion,
  direction: "up",
  hold: "none",
};

/** What apt was called with to install, and its routes as they lay there meanwhile. */
async function install(proxies: ProxyVariables): Promise<{ acted: Omit<Command, "timeoutMs">; asked: number; config: string }> {
  const root = join(scratch, `root-${(count += 1)}`);
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
      const file = routesPath(root);
      config = existsSync(file) ? readFileSync(file, "utf8") : "";
      return exited("");
    },
  });
  await manager.install(change);
  expect(existsSync(routesPath(root))).toBe(false);
  return { acted, asked, config };
}

describe("a call of apt that reaches out", () => {
  test("is given its routes in a file, and the password in nothing else", async () => {
    const { acted, config } = await install({ HTTP_PROXY: "http://fleet:planted@p.example:3128", NO_PROXY: "b.example" });
    expect(acted.argv.slice(0, 2)).toEqual(["apt-get", "-c"]);
    expect(config).toContain('Acquire::http::Proxy::a.test "http://fleet:planted@p.example:3128";\n');
    expect(acted.env["no_proxy"]).toBe(".b.example");
    expect(JSON.stringify(acted)).not.toContain("planted");
  });

  test("is an ordinary one without proxies, and no other is made before it", async () => {
    const { acted, asked, config } = await install({ NO_PROXY: "b.example" });
    expect(acted.argv.slice(0, 2)).toEqual(["apt-get", "-qq"]);
    expect([asked, config, acted.env["no_proxy"]]).toEqual([0, "", ""]);
  });

  test("is not made where the proxy that it would take is unusable", async () => {
    await expect(install({ HTTP_PROXY: "http://localhost:3128" })).rejects.toMatchObject({ code: "proxy-invalid" });
  });
});
