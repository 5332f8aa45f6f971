import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Host, HostOptions } from "./lab/host.ts";
import type { PreparedOptions } from "./lab/prepared.ts";
import { mustRun } from "./lab/program.ts";

const project = join(import.meta.dirname, "../..");

/** Each does in the host what it is told by its words, with a part of the product that no command calls alone. */
export type Program = "unit-in-host.ts" | "manager-in-host.ts";

const programs: readonly Program[] = ["unit-in-host.ts", "manager-in-host.ts"];
const wanted = ["src", "package.json", "node_modules/semver", ...programs.map((program) => `test/system/${program}`)];

/** Hosts that begin with the sources and what runs them. */
export function withSources<Options extends HostOptions>(options: Options): Options & PreparedOptions {
  return { ...options, prepared: { name: "sources", recipe, prepare } };
}

/** The acting unit's shipped sandbox, but running one of the programs, in the deciding unit's place. */
export async function decideBy(host: Host, program: Program, words: readonly string[]): Promise<void> {
  const shipped = await readFile(join(project, "systemd/svc-upgrade-act.service"), "utf8");
  // What the words of these tests never hold is a single quote.
  const quoted = words.map((word) => `'${word.replaceAll("%", "%%").replaceAll("$", "$$$$")}'`).join(" ");
  const start = `ExecStart=/opt/node /opt/test/system/${program} ${quoted}`;
  await host.write(
    "/etc/systemd/system/svc-upgrade.service",
    shipped
      .replace(/^ExecStart=.*$/m, () => start)
      .replace(/^Type=.*$/m, "Type=oneshot")
      .replaceAll(/^Log.*\n/gm, ""),
  );
  await host.mustRun(["systemctl", "daemon-reload"]);
}

async function recipe(): Promise<string> {
  return withArchive(
    async (archive) =>
      `${process.version} ${createHash("sha256")
        .update(await readFile(archive))
        .digest("hex")}`,
  );
}

async function prepare(host: Host): Promise<void> {
  await withArchive((archive) => host.copyIn(archive, "/opt/sources.tar"));
  await host.mustRun(["tar", "--extract", "--file", "/opt/sources.tar", "--directory", "/opt"]);
  await host.copyIn(process.execPath, "/opt/node", { mode: "0755" });
}

/** The same bytes for the same sources, whenever it is made. */
async function withArchive<T>(work: (archive: string) => Promise<T>): Promise<T> {
  const scratch = await mkdtemp(join(tmpdir(), "svc-upgrade-sources-"));
  try {
    const archive = join(scratch, "sources.tar");
    const alike = ["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--mode=u=rwX,go=rX"];
    await mustRun(["tar", "--create", ...alike, "--file", archive, "--directory", project, ...wanted]);
    return await work(archive);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
