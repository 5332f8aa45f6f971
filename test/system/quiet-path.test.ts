import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { bundle } from "../../packaging/bundle.ts";
import { loader } from "../../packaging/loader.ts";
import { quietParts } from "../../packaging/parts.ts";
import { nativeArchitecture, projectRoot } from "../../packaging/project.ts";
import { runtimeFolder } from "../../packaging/runtime.ts";
import type { Host } from "./lab/host.ts";
import { scenario } from "./lab/scenario.ts";
import { configure, outdatedHost, tick, withUpdater } from "./updater.ts";

const golden = join(import.meta.dirname, "quiet-path.golden.txt");
const folder = "/opt/quiet";
const mark = "LOADED ";

/** The shipped program under the bare runtime, which tells at its end what it has taken and loaded: an executable tells nobody. */
async function layProgram(host: Host): Promise<void> {
  const { parts, entry } = await bundle(resolve(projectRoot, "src/svc-upgrade.ts"), quietParts["svc-upgrade"]);
  for (const { name, text } of parts) await host.write(`${folder}/${name}`, text);
  const told = `const taken = [];
    const getRawAsset = (part) => (taken.push(part), new Uint8Array(load("node:fs").readFileSync("${folder}/" + part)).buffer);
    const load = require;
    require = (name) => (name === "node:sea" ? { getRawAsset } : load(name));
    const before = new Set(process.moduleLoadList);
    process.on("exit", () => {
      const own = process.moduleLoadList.filter((name) => name.startsWith("NativeModule ") && !before.has(name));
      const names = own.map((name) => name.slice(13)).filter((name) => !name.startsWith("internal/"));
      load("node:fs").writeSync(2, "<5>${mark}" + JSON.stringify({ taken, builtins: names.sort() }) + "\\n");
    });`;
  await host.write(`${folder}/program.cjs`, `${told}\n{\n${loader(parts, entry, [])}\n}\n`);
  await host.copyIn(resolve(runtimeFolder(nativeArchitecture), "bin/node"), `${folder}/node`, { mode: "0755" });
}

async function runFrom(host: Host, unit: string, command: string): Promise<void> {
  const start = `[Service]\nExecStart=\nExecStart=${folder}/node ${folder}/program.cjs ${command}\n`;
  await host.write(`/etc/systemd/system/${unit}.service.d/quiet.conf`, start);
}

type Loaded = { readonly taken: readonly string[]; readonly builtins: readonly string[] };

function loadedIn(text: string): Loaded {
  const line = text.split("\n").findLast((each) => each.includes(mark)) ?? "";
  return JSON.parse(line.slice(line.indexOf(mark) + mark.length)) as Loaded;
}

function tell(command: string, { taken, builtins }: Loaded): string {
  return `${command}\n  parts: ${taken.join(" ")}\n  modules of the runtime: ${builtins.join(" ")}\n`;
}

/** Each costs every host at every tick: what is added here is added on purpose (UPDATE_QUIET=1). */
test(
  "a look that finds nothing to do, a pass and the asking unit load these parts and these modules of the runtime, and nothing else",
  scenario(withUpdater({ suite: "bookworm" }), async (stage) => {
    const { host, versions } = stage;
    await outdatedHost(stage);
    versions.serve("default", { version: "v15.4.5" });
    await layProgram(host);
    await runFrom(host, "svc-upgrade", "pass");
    await runFrom(host, "svc-upgrade-ask", "ask");
    await host.mustRun(["systemctl", "daemon-reload"]);
    expect(await tick(host)).toBe(0);
    // The second has nothing to record for the first time.
    expect(await tick(host)).toBe(0);
    await host.mustRun(["journalctl", "--sync"]);
    const dryRun = await host.run([`${folder}/node`, `${folder}/program.cjs`, "dry-run"]);
    expect(dryRun).toMatchObject({ status: 0, stdout: "no upgrades available (15.4.5 == 15.4.5)\n" });
    const loaded = [
      tell("dry-run", loadedIn(dryRun.stderr)),
      tell("pass", loadedIn(await host.journal("svc-upgrade.service"))),
      tell("ask", loadedIn(await host.journal("svc-upgrade-ask.service"))),
    ].join("");
    // The first works out what the local window comes to, the second finds it.
    await configure(host, 'window: {start: "02:30", duration: 2h, timezone: Europe/Berlin}\n', "60-window");
    const withWindow: Loaded[] = [];
    for (let pass = 1; pass <= 2; pass += 1) {
      expect(await tick(host)).toBe(0);
      await host.mustRun(["journalctl", "--sync"]);
      withWindow.push(loadedIn(await host.journal("svc-upgrade.service")));
    }
    expect(withWindow.map(({ taken }) => taken.some((part) => part.includes("luxon")))).toEqual([true, false]);
    expect(withWindow[1]?.taken.filter((part) => !["ask", "pass", "look"].includes(part))).toEqual(["calendar"]);
    if (process.env["UPDATE_QUIET"] !== undefined) await writeFile(golden, loaded);
    expect(loaded).toBe(await readFile(golden, "utf8"));
  }),
);
