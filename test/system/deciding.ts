import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Host } from "./lab/host.ts";
import { mustRun } from "./lab/program.ts";
import { until } from "./lab/until.ts";

const project = join(import.meta.dirname, "../..");

/** Puts the sources and their runtime into the host, and a deciding unit with the shipped sandbox that runs `argv` of them. */
export async function prepare(host: Host): Promise<void> {
  const archive = join(host.directory, "sources.tar");
  const wanted = ["src", "package.json", "test/system/unit-in-host.ts", "node_modules/semver"];
  await mustRun(["tar", "--create", "--file", archive, "--directory", project, ...wanted]);
  await host.copyIn(archive, "/opt/sources.tar");
  await host.copyIn(process.execPath, "/opt/node", { mode: "0755" });
  await host.mustRun(["tar", "--extract", "--file", "/opt/sources.tar", "--directory", "/opt"]);
}

/** What the program in the host does when svc-upgrade.service is started next. */
export async function decideTo(host: Host, ...argv: readonly string[]): Promise<void> {
  const shipped = await readFile(join(project, "systemd/svc-upgrade.service"), "utf8");
  // The shell lines of these tests hold no single quotes.
  const quoted = argv.map((word) => `'${word.replaceAll("%", "%%").replaceAll("$", "$$$$")}'`).join(" ");
  const start = `ExecStart=/opt/node /opt/test/system/unit-in-host.ts ${quoted}`;
  await host.write(
    "/etc/systemd/system/svc-upgrade.service",
    shipped.replace(/^ExecStart=.*$/m, () => start),
  );
  await host.mustRun(["systemctl", "daemon-reload"]);
}

export async function journal(host: Host): Promise<string> {
  return host.mustRun(["journalctl", "--quiet", "--no-pager", "-u", "svc-upgrade", "-o", "cat"]);
}

/** Starts the deciding unit, waits for its end, and gives the JSON that the program printed. */
export async function outcome(host: Host): Promise<unknown> {
  const earlier = (await outcomes(host)).length;
  await host.run(["systemctl", "start", "svc-upgrade.service"], { timeoutMs: 240_000 });
  return until("the outcome is in the journal", 5_000, async () => {
    const line = (await outcomes(host))[earlier];
    return line === undefined ? undefined : (JSON.parse(line) as unknown);
  });
}

async function outcomes(host: Host): Promise<readonly string[]> {
  return (await journal(host)).split("\n").filter((line) => line.startsWith("{"));
}

export async function isThere(host: Host, path: string): Promise<true | undefined> {
  return (await host.enter(["test", "-e", path])).status === 0 ? true : undefined;
}
