import { describe, expect, test } from "vitest";
import type { Host } from "./lab/host.ts";
import { buildPackage } from "./lab/package.ts";
import { installPackage, refreshLists } from "./lab/package-tools.ts";
import type { PackageFile } from "./lab/package-recipe.ts";
import { scenario } from "./lab/scenario.ts";
import { lastPass } from "./moves.ts";
import { configure, installedVersion, runNow, schedule, tick, withUpdater } from "./updater.ts";

/** A service of other people, and how it is seen from outside which version of it runs. */
type Service = {
  readonly title: string;
  readonly unit: string;
  readonly files: (version: string) => Readonly<Record<string, PackageFile>>;
  readonly enable: readonly string[];
  /** What is asked of the host to hear the version that runs. */
  readonly speaks: readonly string[];
};

/** One version of them cannot be started. */
const ill = "1.2.0";

/** Says which version was started, in a file of its name. */
function starter(version: string, then: string): PackageFile {
  const refuse = version === ill ? "exit 1\n" : "";
  return { content: `#!/bin/sh\n${refuse}echo ${version} >/run/tool-$1\n${then}\n`, mode: 0o755 };
}

const answersOnSocket = (version: string): string => `#!/usr/bin/perl
${version === ill ? "exit 1;" : ""}
open(my $listening, "+<&=", 3) or die $!;
while (accept(my $client, $listening)) {
  sysread $client, my $request, 4096;
  syswrite $client, "HTTP/1.0 200 OK\\r\\n\\r\\n${version}\\n";
  close $client;
}
`;

const services: readonly Service[] = [
  {
    title: "a oneshot that remains active after its end",
    unit: "tool.service",
    files: (version) => ({
      "/usr/bin/tool": starter(version, ""),
      "/usr/lib/systemd/system/tool.service": {
        content:
          "[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=/usr/bin/tool once\n[Install]\nWantedBy=multi-user.target\n",
      },
    }),
    enable: ["tool.service"],
    speaks: ["cat", "/run/tool-once"],
  },
  {
    title: "an instance of a template",
    unit: "tool@main.service",
    files: (version) => ({
      "/usr/bin/tool": starter(version, "exec sleep infinity"),
      "/usr/lib/systemd/system/tool@.service": {
        content: "[Service]\nExecStart=/usr/bin/tool %i\n[Install]\nWantedBy=multi-user.target\n",
      },
    }),
    enable: ["tool@main.service"],
    speaks: ["cat", "/run/tool-main"],
  },
  {
    title: "a service that its socket has started",
    unit: "tool.service",
    files: (version) => ({
      "/usr/bin/tool": { content: answersOnSocket(version), mode: 0o755 },
      "/usr/lib/systemd/system/tool.service": { content: "[Service]\nExecStart=/usr/bin/tool\n" },
      "/usr/lib/systemd/system/tool.socket": {
        content: "[Socket]\nListenStream=/run/tool.socket\n[Install]\nWantedBy=sockets.target\n",
      },
    }),
    enable: ["tool.socket"],
    speaks: ["curl", "-sS", "--unix-socket", "/run/tool.socket", "http://tool/"],
  },
];

describe.each(services)("$title", ({ unit, files, enable, speaks }) => {
  const build = (host: Host, version: string): Promise<string> =>
    buildPackage(host, { name: "tool", version, files: files(version) });

  test(
    "moves by settings alone, and is undone when the new version does not start",
    scenario(withUpdater({ suite: "bookworm" }), async ({ host, repository, versions }) => {
      const expectAt = async (version: string): Promise<void> => {
        expect(await installedVersion(host, "tool")).toBe(version);
        expect((await host.mustRun(["systemctl", "is-active", unit])).trim()).toBe("active");
        expect((await host.mustRun(speaks)).trim()).toBe(version);
      };
      for (const version of ["1.0.0", "1.1.0", ill]) await repository.publish(await build(host, version));
      await refreshLists(host);
      await installPackage(host, "tool", "1.0.0");
      await host.mustRun(["systemctl", "enable", "--now", ...enable]);
      // A socket starts its service when it is asked.
      await host.mustRun(speaks);
      await expectAt("1.0.0");
      await configure(
        host,
        `endpoint: ${versions.httpEndpoint}
allow_plain_http: true
channel: tools
agent: {package: tool, unit: ${unit}}
health: {settle: 1s}
`,
      );
      await schedule(host, "open");

      versions.serve("tools", { version: "1.1.0" });
      expect(await tick(host)).toBe(0);
      expect(await lastPass(host)).toMatchObject({ outcome: { kind: "moved", to: "1.1.0" } });
      await expectAt("1.1.0");

      versions.serve("tools", { version: ill });
      expect(await tick(host)).toBe(10);
      expect(await lastPass(host)).toMatchObject({ outcome: { kind: "undone", to: "1.1.0" } });
      await expectAt("1.1.0");

      expect((await host.run(["svc-upgrade", "rollback"])).status).toBe(0);
      await expectAt("1.0.0");
      await host.mustRun(["svc-upgrade", "retry", "1.1.0"]);
      versions.serve("tools", { version: "1.1.0" });
      expect((await runNow(host)).status).toBe(0);
      await expectAt("1.1.0");
    }),
  );
});
