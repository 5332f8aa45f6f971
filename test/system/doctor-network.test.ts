import { describe, expect, test } from "vitest";
import { suites } from "./lab/base.ts";
import type { Host } from "./lab/host.ts";
import { startSquid } from "./lab/proxy.ts";
import { scenario, type Stage } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import { behindProxy, proxyUrl, setVariables } from "./behind-proxy.ts";
import { configure, outdatedHost, schedule, tick, withUpdater } from "./updater.ts";

const bookworm = withUpdater({ suite: "bookworm" });
const credentials = { user: "fleet", password: "s3cret-Pass" };

const hops = ["route", "proxy", "dns", "tls", "channel", "answer"] as const;
type Hop = (typeof hops)[number];
type Proof = { readonly name: string; readonly verdict: string; readonly told: string; readonly fix?: string };

/** What doctor says of the way to the version, by hop. */
async function examine(host: Host, user?: string): Promise<Readonly<Record<Hop, Proof>>> {
  const { stdout, stderr } = await host.run(["svc-upgrade", "doctor", "--json"], user === undefined ? {} : { user });
  expect(stdout + stderr).not.toContain(credentials.password);
  const { checks } = JSON.parse(stdout) as { readonly checks: readonly Proof[] };
  const own = checks.filter(({ name }) => hops.some((hop) => hop === name));
  expect(own.map(({ name }) => name)).toEqual(hops);
  return Object.fromEntries(own.map((proof) => [proof.name, proof])) as Readonly<Record<Hop, Proof>>;
}

function verdicts(proofs: Readonly<Record<Hop, Proof>>): string {
  return hops.map((hop) => proofs[hop].verdict).join(" ");
}

const allWell = "ok skipped ok ok ok ok";

/** As an admin types it; the hosts have no sudo, and their shell is root's. */
async function type(host: Host, fix: string | undefined): Promise<void> {
  await host.mustRun(["sh", "-c", (fix ?? "false").replaceAll("sudo ", "")]);
}

/** A host that is to ask by https, of a server with a certificate by an authority of its own. */
async function secureHost(stage: Stage): Promise<void> {
  const { host, versions } = stage;
  await outdatedHost(stage);
  await configure(host, `endpoint: ${versions.httpsEndpoint}\n`);
  await schedule(host, "closed");
}

async function trusting(stage: Stage, path: string, mode = "0644"): Promise<void> {
  await stage.host.copyIn(stage.versions.authority.caFile, path, { mode });
  await configure(stage.host, `ca_file: ${path}\n`, "60-ca");
}

describe("doctor asks as the asking unit does, not as root", () => {
  test(
    "and finds a ca_file that root can read and the unit cannot; what it says to type repairs it",
    scenario(bookworm, async (stage) => {
      const { host } = stage;
      await secureHost(stage);
      const places = [
        { path: "/etc/svc-upgrade/own.pem", told: /own\.pem may not be read by the user that asks/ },
        { path: "/etc/ssl/closed/own.pem", told: /own\.pem may not be read by the user that asks/ },
        // What ProtectHome and InaccessiblePaths close to the unit is open to root, and to every mode.
        { path: "/root/own.pem", told: /may not be read by the user that asks/ },
        { path: "/tmp/own.pem", told: /may not be read by the user that asks/ },
      ];
      await host.mustRun(["install", "-d", "-m", "0700", "/etc/ssl/closed"]);
      for (const { path, told } of places) {
        await host.mustRun(["rm", "-f", "/etc/svc-upgrade/90-ca.yaml"]);
        await trusting(stage, path, "0600");
        const broken = await examine(host);
        expect(verdicts(broken)).toBe("ok skipped ok failed skipped skipped");
        expect(broken.tls.told).toMatch(told);
        expect(broken.channel.told).toBe("not tried because tls failed");
        await type(host, broken.tls.fix);
        const mended = await examine(host);
        expect(verdicts(mended)).toBe(allWell);
        expect(mended.tls.told).toMatch(
          /^outer\.test:\d+ shows "CN=outer\.test" for DNS:outer\.test.*issued by "CN=Lab authority".*TLSv1\.3/,
        );
        expect(mended.answer.told).toBe("channel default serves 15.4.6, not critical");
      }
    }),
  );

  describe.each(suites)("on %s", (suite) => {
    test(
      "and disturbs no pass, neither one that runs nor the next",
      scenario(withUpdater({ suite }), async (stage) => {
        const { host } = stage;
        await secureHost(stage);
        await trusting(stage, "/etc/svc-upgrade/own.pem");
        // Before the first pass of this boot: nobody has brought the socket up.
        expect(verdicts(await examine(host))).toBe(allWell);
        expect(await tick(host)).toBe(0);
        expect(verdicts(await examine(host))).toBe(allWell);
        expect(await tick(host)).toBe(0);
        await host.mustRun([
          "systemd-run",
          "--quiet",
          "--unit=holder",
          "flock",
          "/var/lib/svc-upgrade-decide/lock",
          "sleep",
          "60",
        ]);
        await until("the lock to be held", 10_000, async () =>
          (await host.enter(["flock", "-n", "/var/lib/svc-upgrade-decide/lock", "true"])).status === 0 ? undefined : true,
        );
        expect(verdicts(await examine(host))).toBe(allWell);
        await host.mustRun(["systemctl", "stop", "holder"]);
        // Both at once: one waits for the other.
        const [during, ended] = await Promise.all([examine(host), tick(host)]);
        expect([verdicts(during), ended]).toEqual([allWell, 0]);
      }),
    );
  });

  test(
    "and says what is wrong with the unit where it cannot run",
    scenario(bookworm, async (stage) => {
      const { host } = stage;
      await secureHost(stage);
      await host.write(
        "/etc/systemd/system/svc-upgrade-ask.service.d/broken.conf",
        "[Service]\nExecStart=\nExecStart=/bin/false\n",
      );
      await host.mustRun(["systemctl", "daemon-reload"]);
      const { route, answer } = await examine(host);
      expect(route).toMatchObject({ verdict: "failed", fix: expect.stringContaining("journalctl -u svc-upgrade-ask") as string });
      expect(answer.told).toBe("not tried: svc-upgrade-ask.service gave no answer");
    }),
  );
});

describe("doctor finds the hop that does not work on a direct way", () => {
  test(
    "for root and for an ordinary user alike",
    scenario(bookworm, async (stage) => {
      const { host, versions } = stage;
      await secureHost(stage);

      const untrusted = await examine(host);
      expect(verdicts(untrusted)).toBe("ok skipped ok failed skipped skipped");
      expect(untrusted.tls.told).toMatch(/authority is not in the store.*"CN=Lab authority"/);
      // As it says: the authority's certificate goes to that place, and then the line is typed.
      await host.copyIn(versions.authority.caFile, "/etc/svc-upgrade/ca.pem");
      await type(host, untrusted.tls.fix);
      for (const user of [undefined, "ordinary"]) expect(verdicts(await examine(host, user))).toBe(allWell);

      versions.serve("default", { version: "<!DOCTYPE html><html>Welcome</html>" });
      for (const user of [undefined, "ordinary"]) {
        const page = await examine(host, user);
        expect(verdicts(page)).toBe("ok skipped ok ok ok failed");
        expect(page.answer.told).toContain("a web page of 35 bytes");
        expect(page.answer.fix).toMatch(/curl -v https:\/\/outer\.test/);
      }

      await versions.https.goDown();
      for (const user of [undefined, "ordinary"]) {
        const down = await examine(host, user);
        expect(verdicts(down)).toBe("ok skipped ok failed skipped skipped");
        expect(down.tls.told).toMatch(/the connection is refused/);
        expect(down.tls.fix).toBe("svc-upgrade config");
      }

      await configure(host, "endpoint: https://nowhere.test\n");
      for (const user of [undefined, "ordinary"]) {
        const unknown = await examine(host, user);
        expect(verdicts(unknown)).toBe("ok skipped failed skipped skipped skipped");
        expect(unknown.dns.told).toMatch(/name nowhere\.test/);
        expect(unknown.dns.fix).toBe("getent ahosts nowhere.test");
      }
    }),
  );

  test(
    "and warns a user who cannot see the proxies",
    scenario(bookworm, async (stage) => {
      const { host } = stage;
      await secureHost(stage);
      await trusting(stage, "/etc/svc-upgrade/own.pem");
      await setVariables(host, { NO_PROXY: "10.0.0.0/99" });
      const seen = await examine(host);
      expect(seen.route).toMatchObject({ verdict: "warning", told: expect.stringContaining('"10.0.0.0/99"') as string });
      const unseen = await examine(host, "ordinary");
      expect(unseen.route).toMatchObject({
        verdict: "warning",
        told: expect.stringContaining("may not read: /etc/default/svc") as string,
        fix: "sudo svc-upgrade doctor",
      });
      await setVariables(host, { HTTPS_PROXY: "http://fleet:s3cret-Pass@localhost:3128" });
      const invalid = await examine(host);
      expect(verdicts(invalid)).toBe("failed skipped skipped skipped skipped skipped");
      expect(invalid.route.told).toMatch(/HTTPS_PROXY is not a usable proxy: its host is localhost/);
    }),
  );

  test(
    "and a proxy that does not let through what could be reached without it",
    scenario(bookworm, async (stage) => {
      const { host } = stage;
      await secureHost(stage);
      await trusting(stage, "/etc/svc-upgrade/own.pem");
      const { outerAddress } = host.network;
      const squid = await startSquid(host, { credentials, onlyPort: 443, outerTest: outerAddress });
      await host.write("/etc/hosts", `127.0.0.1 localhost agent-host\n${outerAddress} outer.test proxy.test\n`);
      await setVariables(host, { HTTPS_PROXY: proxyUrl("http", squid, credentials) });
      const refused = await examine(host);
      expect(verdicts(refused)).toBe("ok failed skipped skipped skipped skipped");
      expect(refused.proxy.told).toMatch(
        /answers CONNECT outer\.test:\d+ with 403 Forbidden; let the proxy allow CONNECT to outer\.test:\d+ from this host/,
      );
      await type(host, refused.proxy.fix);
      const direct = await examine(host);
      expect(verdicts(direct)).toBe(allWell);
      expect(direct.route.told).toMatch(/^outer\.test:\d+ is reached directly \(NO_PROXY entry "outer\.test"\)$/);
    }),
  );
});

describe("doctor proves a way through a proxy", () => {
  test(
    "from the missing variable to the answer",
    behindProxy({ suite: "bookworm", start: startSquid, scheme: "http", credentials }, async ({ host, proxy }) => {
      const without = await examine(host);
      expect(verdicts(without)).toBe("ok skipped failed skipped skipped skipped");
      expect(without.dns.told).toMatch(/if this host needs a proxy, set HTTPS_PROXY in \/etc\/default\/svc/);

      const url = `http://proxy.test:${proxy.port}`;
      await setVariables(host, { HTTPS_PROXY: url });
      const unnamed = await examine(host);
      expect(verdicts(unnamed)).toBe("ok failed skipped skipped skipped skipped");
      expect(unnamed.proxy.told).toMatch(
        /with 407 .*and no credentials are set; set user and password.*HTTPS_PROXY=http:\/\/USER:PASSWORD@proxy\.test:/,
      );

      await setVariables(host, { HTTPS_PROXY: proxyUrl("http", proxy, { user: "fleet", password: "another" }) });
      expect((await examine(host)).proxy.told).toMatch(/with 407 .*although credentials are set; correct user and password/);

      await setVariables(host, { HTTPS_PROXY: proxyUrl("http", proxy, credentials) });
      const through = await examine(host);
      expect(verdicts(through)).toBe("ok ok skipped ok ok ok");
      expect(through.route.told).toMatch(
        /^outer\.test:\d+ is reached through the proxy http:\/\/proxy\.test:\d+ \(HTTPS_PROXY\)$/,
      );
      expect(through.proxy.told).toMatch(/^http:\/\/proxy\.test:\d+ has opened a tunnel to outer\.test:\d+$/);
      expect(through.dns.told).toBe("the proxy resolves outer.test");
      expect(through.answer.told).toBe("channel default serves 15.4.6, not critical");

      await proxy.goDown();
      const down = await examine(host);
      expect(verdicts(down)).toBe("ok failed skipped skipped skipped skipped");
      expect(down.proxy.told).toMatch(/the connection is refused/);
      expect(down.proxy.fix).toBe("sudoedit /etc/default/svc");

      const written = await host.enter(["sh", "-c", "cat /run/svc-upgrade/*; journalctl --output=export"]);
      expect(written.stdout).not.toContain(credentials.password);
    }),
  );
});
