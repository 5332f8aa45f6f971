import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { Fault } from "../../../src/rules/fault/fault.ts";
import { pathsBelow } from "../../../src/machine/files/paths.ts";
import { endpointOf, prepare, type PreparedSettings } from "../../../src/updater/sources/settings.ts";
import type { Fragment } from "../../../src/rules/settings/settings.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";
import { settings } from "../pass/given.ts";
import { usualAgentPaths } from "../../agent-paths.ts";

const folder = scratchFolder();
let roots = 0;

function rootWith(files: Readonly<Record<string, string>>): string {
  roots += 1;
  const root = `${folder}/${roots}`;
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(`${root}/${file}`), { recursive: true });
    writeFileSync(`${root}/${file}`, text);
    chmodSync(`${root}/${file}`, 0o644);
  }
  return root;
}

type More = { readonly environment?: Readonly<Record<string, string>>; readonly flags?: readonly Fragment[] };

function prepared(root: string, { environment = {}, flags = [] }: More = {}): Promise<PreparedSettings> {
  const log = (): undefined => undefined;
  return prepare({ paths: pathsBelow(root), environment, flags, ownerUid: process.getuid?.() ?? -1, log });
}

function faultIn(work: () => unknown): Fault {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown;
    throw thrown;
  }
  throw new Error("nothing was thrown");
}

const site = { "etc/svc-upgrade/10-site.yaml": "endpoint: https://file.test\nchannel: from/file\n" };
const agent = { "etc/svc.yaml": "svc: {proxy_server: 'agent.test:443'}\n" };

describe("the settings", () => {
  test.each<readonly [string, Readonly<Record<string, string>>, More, string | undefined, string]>([
    ["no source", {}, {}, undefined, "built-in"],
    ["the agent's configuration", agent, {}, "https://agent.test", "etc/svc.yaml"],
    [
      "the environment",
      site,
      { environment: { SVC_UPGRADE_ENDPOINT: "https://env.test" } },
      "https://env.test",
      "SVC_UPGRADE_ENDPOINT",
    ],
  ])("take the endpoint from %s", async (_title, files, more, endpoint, origin) => {
    const found = await prepared(rootWith(files), more);
    expect(found.settings.endpoint).toBe(endpoint);
    expect(JSON.stringify(found.rows.find(({ key }) => key === "endpoint")?.origin)).toContain(origin);
    expect(found.denied).toEqual([]);
  });

  test("do not look at the agent's configuration where another source names the endpoint", async () => {
    const found = await prepared(rootWith({ ...site, "etc/svc.yaml": "[" }));
    expect(found.settings.endpoint).toBe("https://file.test");
  });

  test("are refused with every fault of every source, the agent's among them", async () => {
    const root = rootWith({ "etc/svc-upgrade/1.yaml": "majr: any\n", "etc/svc.yaml": "svc: {proxy_server: 7}\n" });
    const fault = await prepared(root).catch((thrown: unknown) => thrown);
    expect(fault).toMatchObject({ code: "settings-invalid", message: expect.stringContaining("majr") });
    const wrongAgent = await prepared(rootWith({ "etc/svc.yaml": "svc: {proxy_server: 7}\n" })).catch(
      (thrown: unknown) => thrown,
    );
    expect(wrongAgent).toMatchObject({ code: "settings-invalid", message: expect.stringContaining("svc.proxy_server: 7") });
  });

  test("take no endpoint from an agent's configuration that another user could write, and do not parse it", async () => {
    const open = rootWith({ "etc/svc.yaml": "[" });
    chmodSync(`${open}/etc/svc.yaml`, 0o664);
    await expect(prepared(open)).rejects.toMatchObject({
      code: "settings-invalid",
      message: expect.stringMatching(
        /etc\/svc\.yaml: a file that can be written by others \(mode 664\) \(allowed: a file that only /,
      ) as string,
    });
    chmodSync(`${open}/etc/svc.yaml`, 0o644);
    await expect(prepared(open)).rejects.toMatchObject({ message: expect.not.stringContaining("written by others") as string });
  });

  test.each([
    ["a whole MiB", 1024 * 1024, undefined],
    ["a byte more", 1024 * 1024 + 1, "settings-invalid"],
  ])("take an agent's configuration of %s", async (_title, bytes, code) => {
    const text = "svc: {proxy_server: 'agent.test:443'}\n#";
    const found = prepared(rootWith({ "etc/svc.yaml": text.padEnd(bytes, "x") }));
    if (code === undefined) expect((await found).settings.endpoint).toBe("https://agent.test");
    else await expect(found).rejects.toMatchObject({ code, message: expect.stringContaining("at most 1 MiB") as string });
  });

  test("name whoever alone may write the agent's configuration", async () => {
    const root = rootWith({ "etc/svc.yaml": "svc: {}" });
    const log = (): undefined => undefined;
    for (const [ownerUid, who] of [
      [0, "root"],
      [4242, "user 4242"],
    ] as const) {
      chmodSync(`${root}/etc/svc.yaml`, 0o666);
      const found = prepare({ paths: pathsBelow(root), environment: {}, flags: [], ownerUid, log });
      await expect(found).rejects.toMatchObject({
        message: expect.stringContaining(`a file that only ${who} can write`) as string,
      });
    }
  });
});

describe("a missing endpoint", () => {
  const paths = pathsBelow("/");
  const none = { settings: settings(), rows: [], agentPaths: usualAgentPaths(paths) };

  test("is a fault that says where one could stand", () => {
    const fault = faultIn(() => endpointOf({ ...none, denied: [] }));
    expect(fault).toMatchObject({
      code: "endpoint-missing",
      message: expect.stringContaining("/etc/svc.yaml has no proxy_server"),
    });
  });

  test("is one of permission where a file that may name it cannot be read", () => {
    const fault = faultIn(() => endpointOf({ ...none, denied: ["/etc/svc.yaml", "/etc/svc-upgrade/10.yaml"] }));
    expect(fault.code).toBe("not-permitted");
    expect(fault.message).toContain("/etc/svc.yaml and /etc/svc-upgrade/10.yaml may name it and cannot be read");
  });
});
