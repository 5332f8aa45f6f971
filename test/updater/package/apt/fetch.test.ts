import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { WantedFile } from "../../../../src/updater/package/manager/manager.ts";
import type { PackageVersion } from "../../../../src/rules/version/wrapped.ts";
import { fileName, scratchWith, missingTools, type Built } from "../scratch.ts";
import { fileServer, serverOfFile } from "./file-server.ts";
import { agent, change, faultOf } from "./given.ts";
import { aptHost, writeStatus, type Host } from "./on-host.ts";

const missing = missingTools();

const stock: readonly Built[] = [
  { name: "svc-ent", version: "15.4.4" },
  { name: "svc-ent", version: "15.4.5" },
  { name: "svc-ent", version: "15.4.6~rc.1-1" },
  { name: "svc-ent", version: "5:15.4.7-1" },
  { name: "svc-ent", version: "16.0.0", control: "Depends: libnew" },
  { name: "libnew", version: "1.0" },
];

const { scratch, repository } = await scratchWith(stock);
const server = await serverOfFile(repository);

type Kept = Host & { readonly directory: string; readonly cache: string };

/** A host with 15.4.5, an empty cache, and a directory for kept packages. */
async function host(url: string = server.url, trust = "[trusted=yes] "): Promise<Kept> {
  const source = "deb [trusted=yes] ";
  const made = await aptHost(scratch, { "ours.list": `${source}${url} ./\n` });
  await made.apt.refresh(agent);
  await made.apt.install(change("15.4.5"));
  made.command("apt-get", "clean");
  writeFileSync(join(made.root, "etc/apt/sources.list.d/ours.list"), `deb ${trust}${url} ./\n`);
  const directory = join(made.root, "var/lib/svc-upgrade/packages");
  mkdirSync(directory, { recursive: true, mode: 0o755 });
  return { ...made, directory, cache: join(made.root, "var/cache/apt/archives") };
}

function wanted(version: string, is: WantedFile["is"] = "offered"): WantedFile {
  return { name: agent, version: version as PackageVersion, is };
}

describe.skipIf(missing !== undefined)("fetching a package's file", () => {
  test.each<[title: string, version: string, is: WantedFile["is"], file: string, direction: "up" | "down" | "same"]>([
    ["a higher one with an epoch", "5:15.4.7-1", "offered", "svc-ent_5%3a15.4.7-1_all.deb", "up"],
    ["the installed one", "15.4.5", "installed", "svc-ent_15.4.5_all.deb", "same"],
  ])("brings %s, and an installation downloads nothing again", async (_title, version, is, file, direction) => {
    const { apt, directory } = await host();
    server.fetched.length = 0;
    expect(await apt.fetch(wanted(version, is), directory)).toBe(file);
    expect(readdirSync(directory)).toEqual([file]);
    expect(statSync(join(directory, file)).mode & 0o777).toBe(0o644);
    const published = readFileSync(join(repository, fileName({ name: agent, version })));
    expect(readFileSync(join(directory, file)).equals(published)).toBe(true);
    expect(await apt.inspect(agent)).toMatchObject({ packageVersion: "15.4.5" });
    await apt.install(change(version, { direction }));
    expect(await apt.inspect(agent)).toMatchObject({ packageVersion: version });
    expect(server.fetched).toEqual([fileName({ name: agent, version })]);
  });

  test("brings that of a version that is half-configured, and an installation downloads nothing again", async () => {
    const { apt, directory, root } = await host();
    await writeStatus(root, "install ok half-configured");
    server.fetched.length = 0;
    const file = await apt.fetch(wanted("15.4.5", "installed"), directory);
    const published = readFileSync(join(repository, fileName({ name: agent, version: "15.4.5" })));
    expect(readFileSync(join(directory, file)).equals(published)).toBe(true);
    await apt.install(change("15.4.5", { direction: "same" }));
    expect(await apt.inspect(agent)).toMatchObject({ packageVersion: "15.4.5", condition: "whole" });
    expect(server.fetched).toEqual(["svc-ent_15.4.5_all.deb"]);
  });

  test("leaves a hold where it is", async () => {
    const { apt, directory, command } = await host();
    command("apt-mark", "hold", "svc-ent");
    await apt.fetch(wanted("5:15.4.7-1"), directory);
    await apt.fetch(wanted("15.4.5", "installed"), directory);
    expect(readdirSync(directory)).toEqual(["svc-ent_15.4.5_all.deb", "svc-ent_5%3a15.4.7-1_all.deb"]);
    expect(await apt.inspect(agent)).toMatchObject({ packageVersion: "15.4.5", isHeld: true, condition: "whole" });
  });

  test("copies it out of a repository on the host itself", async () => {
    const local = await scratch.repository("with a space and 100%", [...stock, { name: "svc-ent", version: "15.4.8" }]);
    const { apt, directory } = await host(`file:${local.replaceAll("%", "%25").replaceAll(" ", "%20")}`);
    expect(await apt.fetch(wanted("15.4.8"), directory)).toBe("svc-ent_15.4.8_all.deb");
    expect(readdirSync(directory)).toEqual(["svc-ent_15.4.8_all.deb"]);
  });

  const lower = { state: "ok installed", version: "15.4.4" };
  const unpacked = { state: "ok unpacked", version: "15.4.5" };
  const withdrawn = { title: "withdrawn", spoil: (path: string) => rmSync(path), says: "404" };
  const exchanged = {
    title: "exchanged",
    spoil: (path: string) => writeFileSync(path, Buffer.alloc(statSync(path).size)),
    says: "Hash Sum mismatch",
  };
  test.each([
    { ...withdrawn, ...lower },
    { ...exchanged, ...unpacked },
  ])("fails where the file of $version, $state, was $title after it was listed, and leaves nothing", async (given) => {
    const { title, spoil, says, state, version } = given;
    const spoilt = await scratch.repository(`${title}-${version}`, stock);
    const other = await fileServer(spoilt);
    try {
      const { apt, directory, root } = await host(other.url);
      await writeStatus(root, `install ${state}`);
      spoil(join(spoilt, `svc-ent_${version}_all.deb`));
      const fault = await faultOf(apt.fetch(wanted(version), directory));
      expect(fault).toMatchObject({ code: "download-failed" });
      expect(fault.message).toContain(says);
      expect(readdirSync(directory)).toEqual([]);
    } finally {
      await other.close();
    }
  });

  test("takes nothing from a repository that nobody vouches for", async () => {
    const { apt, directory, root } = await host(server.url, "");
    expect(await faultOf(apt.fetch(wanted("15.4.4"), directory))).toMatchObject({ code: "package-untrusted" });
    await writeStatus(root, "install ok unpacked");
    expect(await faultOf(apt.fetch(wanted("15.4.5"), directory))).toMatchObject({ code: "package-untrusted" });
    expect(readdirSync(directory)).toEqual([]);
  });
});
