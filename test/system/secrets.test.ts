import { describe, expect, test } from "vitest";
import { pathsBelow } from "../../src/machine/files/paths.ts";
import { behindProxy, proxyUrl, setVariables, type ProxiedStage } from "./behind-proxy.ts";
import type { Host } from "./lab/host.ts";
import { proxyName, startSquid, type Credentials } from "./lab/proxy.ts";
import { startWitness } from "./lab/witness.ts";
import { installedVersion, tick } from "./updater.ts";

const settings = { suite: "bookworm", start: startSquid, scheme: "http" } as const;

/** Every form in which a password could show itself. */
function formsOf({ user, password }: Credentials): readonly string[] {
  const pair = Buffer.from(`${user}:${password}`).toString("base64");
  return [...new Set([password, encodeURIComponent(password), encodeURI(password), pair.replace(/=+$/, "")])];
}

/** What people and programs get to see of the updater, whatever became of it. */
const questions: readonly (readonly string[])[] = [
  ["svc-upgrade", "dry-run"],
  ["svc-upgrade", "dry-run", "--json", "--log-level", "debug"],
  ["svc-upgrade", "dry-run", "--log-format", "json", "--log-level", "debug"],
  ["svc-upgrade", "route"],
  ["svc-upgrade", "route", "--json", "http://outer.test/"],
  ["svc-upgrade", "config", "--json"],
  ["svc-upgrade", "run", "--now", "--json"],
  ["systemctl", "show", "svc-upgrade.service", "svc-upgrade-ask.service", "svc-upgrade-transaction.service"],
  ["systemctl", "status", "svc-upgrade.service", "svc-upgrade-ask.service"],
];

async function askAll(host: Host): Promise<string> {
  let said = "";
  for (const argv of questions) {
    const { stdout, stderr } = await host.run(argv, { timeoutMs: 120_000 });
    said += `${argv.join(" ")}\n${stdout}${stderr}`;
  }
  return said;
}

/** What the admin wrote, and where the units note it for the day when that cannot be read. */
const ownPlaces = ["/etc/default/svc", pathsBelow("/").passProxies, pathsBelow("/").actProxies];

/** The journal with all its fields, and every file of the host but those. */
async function findAfterwards(host: Host, forms: readonly string[]): Promise<readonly string[]> {
  await host.mustRun(["systemctl", "stop", "witness"]);
  await host.enter(["sh", "-c", "journalctl --sync; journalctl --output=export --all >/root/journal.txt"]);
  const patterns = forms.flatMap((form) => ["-e", form]);
  const folders = ["/etc", "/var", "/run", "/root", "/tmp", "/home", "/usr/lib/svc-upgrade", "/dev/shm"];
  const { stdout } = await host.enter(["grep", "-r", "-l", "-a", "-F", "--devices=skip", ...patterns, ...folders]);
  const found = stdout.split("\n").filter((path) => path !== "");
  for (const path of ownPlaces) {
    expect(found).toContain(path);
    expect(await host.mustRun(["stat", "--format=%a %U", path])).toMatch(/^600 (?:root|svc-upgrade)$/m);
  }
  return found.filter((path) => !ownPlaces.includes(path));
}

/** Goes through every way to fail that has to do with the proxy, and one pass as it should go; the answer is where it showed. */
async function leaksOf(
  { host, proxy, credentials, repositories }: ProxiedStage,
  write: (credentials: Credentials) => string,
): Promise<readonly string[]> {
  const forms = formsOf(credentials);
  const witness = await startWitness(host, "/run/svc-upgrade");
  const use = (url: string): Promise<void> => setVariables(host, { HTTPS_PROXY: url, HTTP_PROXY: url });
  let said = "";

  // The proxy refuses: 407. What is sent to it in vain is a secret too: it may be right elsewhere.
  await use(write({ ...credentials, user: "nobody" }));
  expect(await tick(host)).toBe(69);
  said += await askAll(host);
  expect(said).toContain("407");

  // apt fails where the version server is still reached: the proxy finds nobody at the repositories.
  await use(write(credentials));
  for (const { server } of repositories) await server.goDown();
  expect(await tick(host)).not.toBe(0);
  said += await askAll(host);
  expect(said).toContain('"refresh-failed"');
  expect(await installedVersion(host)).toBe("15.4.5");

  for (const { server } of repositories) await server.comeUp();
  const run = await host.run(["svc-upgrade", "run", "--now", "--log-level", "debug"], { timeoutMs: 120_000 });
  expect(run.status).toBe(0);
  expect(await installedVersion(host)).toBe("15.4.6");
  said += `${run.stdout}${run.stderr}${await askAll(host)}`;
  expect(said).toContain("no upgrades available (15.4.6 == 15.4.6)");

  await proxy.goDown();
  expect(await tick(host)).toBe(75);
  said += await askAll(host);
  expect(said).toContain("the connection is refused");

  // What is no proxy at all is quoted nowhere.
  await use(write(credentials).replace("http://", "socks5://"));
  expect(await tick(host)).toBe(78);
  said += await askAll(host);
  expect(said).toContain("its scheme is socks5");

  const seen = await witness.tell();
  const files = await findAfterwards(host, forms);
  // The witness had its eyes open, and the one file with the password in it was root's alone.
  expect(seen.some((line) => /^argument \S*apt-get -c \/run\/svc-upgrade\/apt-routes\.conf .*install/.test(line))).toBe(true);
  expect(seen).toContain("file 0600 /run/svc-upgrade/apt-routes.conf");
  expect(seen).not.toContain("file 0644 /run/svc-upgrade/apt-routes.conf");
  expect((await host.enter(["ls", "/run/svc-upgrade"])).stdout).not.toContain("apt-routes.conf");

  const inVain = Buffer.from(`nobody:${credentials.password}`).toString("base64").replace(/=+$/, "");
  const leaks = (line: string): boolean => [...forms, inVain].some((form) => line.includes(form));
  return [...files, ...said.split("\n").filter(leaks), ...seen.filter(leaks)];
}

describe("a proxy's password shows in no output, file, journal or argument", () => {
  test(
    "written percent-encoded",
    behindProxy({ ...settings, credentials: { user: "fleet", password: "pl@nted/S3:cret%41?#" } }, async (stage) => {
      expect(await leaksOf(stage, (credentials) => proxyUrl("http", stage.proxy, credentials))).toEqual([]);
    }),
  );

  test(
    "written as it is, with signs that a URL forbids",
    behindProxy({ ...settings, credentials: { user: "fleet", password: "pl@nted/S3:cret" } }, async (stage) => {
      const written = ({ user, password }: Credentials): string => `http://${user}:${password}@${proxyName}:${stage.proxy.port}`;
      expect(await leaksOf(stage, written)).toEqual([]);
    }),
  );
});
