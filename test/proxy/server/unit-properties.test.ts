import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandOf, keptProxiesOf, propertiesFrom } from "../../../src/proxy/server/unit-properties.ts";

const shipped = readFileSync(join(import.meta.dirname, "../../../systemd/svc-proxy.service"), "utf8");
const dropIn = `
# /etc/systemd/system/svc-proxy.service.d/override.conf
[Unit]
User=nobody
[Service]
SupplementaryGroups = ssl-cert \\
# in between
  keys
Environment="A=b c" D=%n
ExecStartPre=/bin/false
Restart=no
WatchdogSec=1s
StandardOutput=null
StateDirectory=svc
`;

describe("what systemd knows of the unit", () => {
  test("is the user, groups, environment and sandbox of another, and not how it runs", () => {
    const found = propertiesFrom(`# /usr/lib/systemd/system/svc-proxy.service\n${shipped}\n${dropIn}`);
    expect(found).toEqual(
      expect.arrayContaining([
        "User=svc-proxy",
        "DynamicUser=yes",
        "EnvironmentFile=-/var/lib/svc-proxy/proxies.env",
        "SystemCallFilter=~@privileged @resources",
        "ProtectHome=yes",
        "SupplementaryGroups=ssl-cert  keys",
        'Environment="A=b c" D=%n',
      ]),
    );
    const keys = new Set(found.map((line) => line.split("=")[0]));
    for (const key of [
      "Type",
      "ExecStart",
      "ExecStartPre",
      "ExecReload",
      "Restart",
      "WatchdogSec",
      "KillMode",
      "StandardOutput",
      "After",
    ]) {
      expect([key, keys.has(key)]).toEqual([key, false]);
    }
    expect(found).not.toContain("User=nobody");
  });

  test("names the files of its proxies", () => {
    expect(keptProxiesOf(shipped)).toEqual({ from: "/etc/default/svc", to: "/var/lib/svc-proxy/proxies.env" });
    expect(keptProxiesOf("[Service]\nExecStartPre=/bin/true\n")).toBeUndefined();
  });

  test.each([
    [
      "{ path=/usr/bin/svc-proxy ; argv[]=/usr/bin/svc-proxy serve --config /etc/svc.yaml ; ignore_errors=no ; start_time=[n/a] }",
      ["/usr/bin/svc-proxy", "serve", "--config", "/etc/svc.yaml"],
    ],
    ["", []],
  ])("starts with %j the command %j", (shown, command) => {
    expect(commandOf(shown)).toEqual(command);
  });
});
