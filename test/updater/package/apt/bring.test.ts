import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execFileSync } from "node:child_process";
import { beforeAll, describe, expect, test } from "vitest";
import { scratchWith, missingTools } from "../scratch.ts";
import { serverOfFile } from "./file-server.ts";
import { agent, change, faultOf } from "./given.ts";
import { aptHost, type Host } from "./on-host.ts";

const missing = missingTools();

const { scratch, repository } = await scratchWith([
  { name: "svc-ent", version: "15.4.5" },
  { name: "svc-ent", version: "15.4.6", control: "Depends: libnew" },
  { name: "libnew", version: "5:1.0" },
  { name: "worse", version: "6.6.6" },
]);
const server = await serverOfFile(repository);

type Bringing = Host & { readonly cache: string; readonly bring: (version: string) => Promise<void> };

async function host(): Promise<Bringing> {
  const made = await aptHost(scratch, { "ours.list": `deb [trusted=yes] ${server.url} ./\n` });
  await made.apt.refresh(agent);
  await made.apt.install(change("15.4.5"));
  made.command("apt-get", "clean");
  const bring = async (version: string): Promise<void> => {
    const wanted = change(version);
    await made.apt.bring(wanted, await made.apt.simulate(wanted));
  };
  return { ...made, cache: join(made.root, "var/cache/apt/archives"), bring };
}

/** In the repository's list, another package is what this one's file is offered as. */
function relabel(from: string, to: string): void {
  const list = join(repository, "Packages");
  writeFileSync(list, readFileSync(list, "utf8").replace(from, to));
  const release = execFileSync("apt-ftparchive", ["-o", "APT::FTPArchive::Release::Suite=x", "release", "."], {
    cwd: repository,
  });
  writeFileSync(join(repository, "Release"), release);
}

describe.skipIf(missing !== undefined)("bringing the files of a plan", () => {
  beforeAll(() => {
    for (const between of ["", "Architecture: all\n"])
      relabel(`Package: worse\n${between}Version: 6.6.6`, `Package: svc-ent\n${between}Version: 15.4.9`);
  });

  test("has them lie in the cache, each fetched once, and the installation takes them from there", async () => {
    const { apt, cache, bring } = await host();
    server.fetched.length = 0;
    await bring("15.4.6");
    await bring("15.4.6");
    expect(readdirSync(cache).filter((name) => name.endsWith(".deb"))).toEqual([
      "libnew_5%3a1.0_all.deb",
      "svc-ent_15.4.6_all.deb",
    ]);
    await apt.install(change("15.4.6"));
    expect(await apt.inspect(agent)).toMatchObject({ packageVersion: "15.4.6", condition: "whole" });
    expect(server.fetched.toSorted()).toEqual(["libnew_1.0_all.deb", "svc-ent_15.4.6_all.deb"]);
  });

  test("is refused where a file is another package, and nothing is changed", async () => {
    const { apt, bring } = await host();
    const fault = await faultOf(bring("15.4.9"));
    expect(fault.code).toBe("package-mislabelled");
    expect(fault.message).toContain("offers svc-ent 15.4.9 (all), and ");
    expect(fault.message).toContain("is worse 6.6.6 (all)");
    expect(await apt.inspect(agent)).toMatchObject({ packageVersion: "15.4.5" });
  });

  test("fetches again what lies there with the right size and other bytes, a dependency's file too", async () => {
    const { apt, cache, bring } = await host();
    await bring("15.4.6");
    for (const name of ["libnew_5%3a1.0_all.deb", "svc-ent_15.4.6_all.deb"])
      writeFileSync(join(cache, name), Buffer.alloc(statSync(join(cache, name)).size, "x"));
    await bring("15.4.6");
    await apt.install(change("15.4.6"));
    expect(await apt.inspect(agent)).toMatchObject({ packageVersion: "15.4.6", condition: "whole" });
  });

  test("leaves nothing to be fetched in the installation itself", async () => {
    const { apt, installAlone, command, bring } = await host();
    await bring("15.4.6");
    command("apt-get", "clean");
    server.fetched.length = 0;
    expect((await faultOf(installAlone(change("15.4.6"), []))).code).toBe("download-failed");
    expect(server.fetched).toEqual([]);
    expect(await apt.inspect(agent)).toMatchObject({ packageVersion: "15.4.5", condition: "whole" });
  });
});
