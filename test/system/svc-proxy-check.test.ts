import { commandsIn } from "../../src/rules/fault/commands.ts";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeAuthority } from "./lab/certificate.ts";
import type { Host } from "./lab/host.ts";
import type { ProgramResult } from "./lab/program.ts";
import { scenario } from "./lab/scenario.ts";
import { mainProcess } from "./main-process.ts";
import {
  clusterAt,
  clusterFile,
  configureServer,
  dropIn,
  served,
  startServer,
  unit,
  unitState,
  withServer,
} from "./server/on-host.ts";

const [keyFile, certFile] = ["/etc/svc/key.pem", "/etc/svc/cert.pem"];

async function putKey(host: Host, path: string, rights: { readonly owner: string; readonly mode: string }): Promise<void> {
  const authority = await makeAuthority(join(host.directory, "authority"));
  const { key, cert } = await authority.issue("server", ["DNS:outer.test"]);
  await host.write(path, key);
  await host.mustRun(["sh", "-c", `chown ${rights.owner} ${path} && chmod ${rights.mode} ${path}`]);
  await host.write(certFile, cert);
  await configureServer(host, clusterFile(`https_keypairs: [{key_file: ${path}, cert_file: ${certFile}}]`, "version: v15.4.6"));
}

const check = (host: Host): Promise<ProgramResult> => host.run(["svc-proxy", "check"]);

/** What `check` says is to be typed, typed as root. */
async function typeHint(host: Host): Promise<void> {
  const { stdout } = await host.run(["svc-proxy", "check", "--json"]);
  const { hint } = (JSON.parse(stdout) as { readonly fault: { readonly hint: string } }).fault;
  const commands = commandsIn(hint);
  expect(commands.length).toBeGreaterThan(0);
  for (const command of commands) await host.mustRun(["sh", "-c", command.replaceAll("sudo ", "")]);
}

async function expectStarts(host: Host): Promise<void> {
  expect(await check(host)).toMatchObject({ status: 0, stdout: expect.stringContaining("/etc/svc.yaml is right: ") });
  await host.run(["systemctl", "reset-failed", unit]);
  await startServer(host);
  expect((await unitState(host)).active).toBe("active");
}

describe.each(["bullseye", "bookworm", "trixie", "yum"] as const)("svc-proxy check on %s finds a key that is", (suite) => {
  describe.each([
    ["root's alone", { owner: "root:root", mode: "0600" }],
    ["a group's that the unit is not in", { owner: "root:ssl-cert", mode: "0640" }],
  ])("%s,", (_title, rights) => {
    test(
      "as the start of the unit does, and what it says to type gives it to the unit",
      scenario(withServer({ suite }), async ({ host }) => {
        await host.mustRun(["groupadd", "--system", "--force", "ssl-cert"]);
        await putKey(host, keyFile, rights);
        expect(await check(host)).toMatchObject({
          status: 78,
          stderr: expect.stringContaining(`${keyFile} may not be read by the user who serves it`),
        });
        expect((await host.run(["systemctl", "start", unit])).status).not.toBe(0);
        await typeHint(host);
        await expectStarts(host);
        expect(await host.mustRun(["stat", "--format=%A", keyFile])).toBe("-rw-r-----\n");
      }),
    );
  });
});

describe("svc-proxy check finds", () => {
  test(
    "a configuration and a folder that the unit may not read",
    scenario(withServer({ suite: "bookworm" }), async ({ host }) => {
      await putKey(host, "/etc/svc/private/key.pem", { owner: "root:root", mode: "0640" });
      await host.mustRun(["sh", "-c", "chmod 0700 /etc/svc/private && chmod 0600 /etc/svc.yaml"]);
      expect(await check(host)).toMatchObject({
        status: 77,
        stderr: expect.stringContaining("/etc/svc.yaml may not be read by svc-proxy.service"),
      });
      await typeHint(host);
      for (const closed of ["the folder", "the key in it"]) {
        expect([closed, (await check(host)).status]).toEqual([closed, 78]);
        await typeHint(host);
      }
      await expectStarts(host);
    }),
  );

  test(
    "a key where the unit sees nothing, a group that does not exist, and a proxy that cannot be one",
    scenario(withServer({ suite: "bookworm" }), async ({ host }) => {
      await putKey(host, "/root/key.pem", { owner: "root:root", mode: "0644" });
      expect(await check(host)).toMatchObject({
        status: 78,
        stderr: expect.stringContaining("`sudo install -D -m 0600 /root/key.pem /etc/svc/key.pem`; name that file instead"),
      });
      await configureServer(host, clusterAt("v15.4.6", '{stable: {forward_url: "https://outer.test/stable"}}'));
      await dropIn(host, "SupplementaryGroups=no-such-group");
      expect(await check(host)).toMatchObject({
        status: 71,
        stderr: expect.stringContaining("there is no group as SupplementaryGroups="),
      });
      await dropIn(host, "");
      expect((await check(host)).status).toBe(0);
      await host.write("/etc/default/svc", "HTTPS_PROXY=http://localhost:3128\n");
      expect(await check(host)).toMatchObject({
        status: 78,
        stderr: expect.stringContaining("HTTPS_PROXY is not a usable proxy: its host is localhost"),
      });
    }),
  );

  test(
    "nothing that it did not look at, and says so",
    scenario(withServer({ suite: "bookworm" }), async ({ host }) => {
      await configureServer(host, clusterAt("v15.4.6"));
      const words = "it was not looked at whether svc-proxy.service may read these files";
      expect((await check(host)).stderr).not.toContain(words);
      expect(await host.run(["svc-proxy", "check"], { user: "ordinary" })).toMatchObject({
        status: 0,
        stderr: expect.stringContaining(`${words}, nor at its proxies: only root can: sudo svc-proxy check`),
      });
      await host.write("/root/other.yaml", clusterAt("v15.4.6"));
      expect((await host.run(["svc-proxy", "check", "--config", "/root/other.yaml"])).stderr).toContain(
        `${words}, nor at its proxies: svc-proxy.service reads /etc/svc.yaml`,
      );
      await dropIn(host, "ExecStart=\nExecStart=/usr/bin/svc-proxy serve --config /etc/other.yaml");
      expect((await check(host)).stderr).toContain("there is no file /etc/other.yaml");
    }),
  );
});

test(
  "a check beside the server that runs leaves it, its user and its folders alone",
  scenario(withServer({ suite: "bookworm" }), async ({ host }) => {
    await dropIn(host, "RuntimeDirectory=svc-proxy-own\nStateDirectory=svc-proxy-own");
    await configureServer(host, clusterAt("v15.4.6"));
    await startServer(host);
    const process = await mainProcess(host, unit);
    expect((await check(host)).status).toBe(0);
    expect([await mainProcess(host, unit), await served(host)]).toEqual([process, "v15.4.6"]);
    expect(await host.mustRun(["ls", "-d", "/run/svc-proxy-own"])).toBe("/run/svc-proxy-own\n");
    expect(await host.mustRun(["systemctl", "list-units", "--all", "--no-legend", "--state=failed"])).toBe("");
  }),
);
