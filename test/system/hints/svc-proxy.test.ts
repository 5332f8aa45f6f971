import { expect, test } from "vitest";
import { commandsIn } from "../../../src/rules/fault/commands.ts";
import type { Host } from "../lab/host.ts";
import { scenario } from "../lab/scenario.ts";
import { clusterAt, configureServer, startServer, unit, unitState, withServer } from "../server/on-host.ts";
import { until } from "../lab/until.ts";
import { typeIn } from "./type.ts";

/** What `check` prints, where something is wrong. */
async function complaint(host: Host): Promise<string> {
  const { status, stderr } = await host.run(["svc-proxy", "check"]);
  expect(status).not.toBe(0);
  return stderr;
}

/** Rights are typed by test/system/svc-proxy-check.test.ts. */
test(
  "what svc-proxy says is to be typed is there, and shows or settles what is wrong",
  scenario(withServer({ suite: "bookworm" }), async ({ host }) => {
    // No file.
    await host.mustRun(["rm", "-f", "/etc/svc.yaml"]);
    await host.write("/root/another.yaml", clusterAt("v15.4.6"));
    const missing = await complaint(host);
    expect(commandsIn(missing)).toEqual(["svc-proxy check --config FILE"]);
    expect(missing).toContain("/usr/share/doc/svc-proxy/docs/server.md");
    expect(await host.mustRun(["cat", "/usr/share/doc/svc-proxy/docs/server.md"])).toContain("proxy_service:");
    expect((await typeIn(host, "svc-proxy check --config /root/another.yaml")).status).toBe(0);

    // A wrong key.
    await configureServer(host, clusterAt("v15.4.6").replace("version:", "versoin:"));
    expect(commandsIn(await complaint(host))).toEqual(["sudo svc-proxy check"]);
    await configureServer(host, clusterAt("v15.4.6"));
    expect((await typeIn(host, "sudo svc-proxy check")).status).toBe(0);

    // Somebody else at its port.
    await host.mustRun(["systemd-run", "--quiet", "--unit=other", "perl", "-MIO::Socket::INET", "-e", listener]);
    await until("the other listens", 10_000, async () =>
      (await host.run(["ss", "-ltn", "sport = :3080"])).stdout.includes(":3080") ? true : undefined,
    );
    await host.run(["systemctl", "start", unit]);
    const [shows = ""] = commandsIn(await host.journal(unit));
    expect(shows).toBe("ss -ltnp sport = :3080");
    expect((await typeIn(host, shows)).stdout).toContain('"perl"');
    await host.mustRun(["systemctl", "stop", "other"]);
    await host.run(["systemctl", "reset-failed", unit]);
    await startServer(host);
    expect((await unitState(host)).active).toBe("active");
  }),
);

const listener =
  'my $socket = IO::Socket::INET->new(LocalAddr => "0.0.0.0", LocalPort => 3080, Listen => 1, ReuseAddr => 1) or die $!; sleep';
