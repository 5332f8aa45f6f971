import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isWhole } from "../../../whole.ts";
import { describe, expect, test } from "vitest";
import { isInterrupted } from "../../../../src/updater/package/apt/examine/audit.ts";
import { asRoot, scratchWith, missingTools, type Built } from "../scratch.ts";
import { agent, change, faultOf } from "./given.ts";
import { aptHost, environment, type Host } from "./on-host.ts";

const missing = missingTools();

const stock: readonly Built[] = [
  { name: "svc-ent", version: "15.4.5", files: 300 },
  { name: "svc-ent", version: "15.4.6", files: 300, configuration: "theirs\n" },
  { name: "svc-ent", version: "17.0.0", postinst: "#!/bin/sh\nexit 1\n" },
  { name: "libnew", version: "1.0" },
];

const { scratch, repository } = await scratchWith(stock);

async function host(): Promise<Host> {
  const made = await aptHost(scratch, { "ours.list": `deb [trusted=yes] file:${repository} ./\n` });
  await made.apt.refresh(agent);
  made.command("apt-get", "-qq", "-y", "install", "svc-ent=15.4.5");
  return made;
}

function dpkg(root: string): readonly [string, ...string[]] {
  return ["dpkg", `--root=${root}`, "--log=/dev/null", "--path-include=/*"];
}

/** A machine may be so fast that dpkg has come to its end before it is killed. */
const mostTries = 20;

/** dpkg was killed when it had at least so many files of the new version beside those of the old. */
async function cutOff(on: Host, files: number): Promise<void> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    await killAt(on, files);
    if (isInterrupted(join(on.root, "var/lib/dpkg"))) return;
    on.command(...dpkg(on.root), "--install", join(repository, "svc-ent_15.4.5_all.deb"));
  }
  throw new Error("dpkg was never in the midst of it");
}

async function killAt({ root }: Host, files: number): Promise<void> {
  const [program, ...rest] = [...asRoot, ...dpkg(root), "--install", join(repository, "svc-ent_15.4.6_all.deb")];
  const child = spawn(program, rest, { env: environment(root), stdio: "ignore" });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const directory = join(root, "usr/share/svc-ent");
  while (child.exitCode === null && readdirSync(directory).filter((name) => name.endsWith(".dpkg-new")).length < files)
    await pause(1);
  child.kill("SIGKILL");
  await ended;
}

describe.skipIf(missing !== undefined)("mending what a transaction left that was cut off", () => {
  test("leaves a whole database alone, a hold and a removed package included", async () => {
    const { apt, command, transactions, root } = await host();
    command("apt-get", "-qq", "-y", "install", "libnew");
    command("apt-get", "-qq", "-y", "remove", "libnew");
    command("apt-mark", "hold", "svc-ent");
    const before = transactions.length;
    const status = readFileSync(join(root, "var/lib/dpkg/status"), "utf8");
    await apt.mend([agent]);
    expect(transactions).toHaveLength(before);
    expect(readFileSync(join(root, "var/lib/dpkg/status"), "utf8")).toBe(status);
  });

  test("applies dpkg's journal, without which apt does nothing", async () => {
    const { apt, root } = await host();
    const entry = "Package: svc-ent\nStatus: install ok unpacked\nVersion: 15.4.5\nArchitecture: all\n";
    writeFileSync(
      join(root, "var/lib/dpkg/updates/0001"),
      `${entry}Maintainer: Test <test@example.com>\nDescription: for a test\n`,
    );
    expect(await apt.inspect(agent)).toMatchObject({ condition: "half-way" });
    expect(await faultOf(apt.install(change("15.4.6")))).toMatchObject({ code: "database-broken" });
    await apt.mend([agent]);
    expect(await apt.inspect(agent)).toMatchObject({ packageVersion: "15.4.5", condition: "whole" });
    await apt.install(change("15.4.6"));
    expect(await apt.inspect(agent)).toMatchObject({ packageVersion: "15.4.6", condition: "whole" });
  });

  test("configures what was unpacked, the packages that came along too, and asks nothing about an edited file", async () => {
    const { apt, root, command } = await host();
    writeFileSync(join(root, "etc/svc-ent.conf"), "ours\n");
    const files = ["svc-ent_15.4.6_all.deb", "libnew_1.0_all.deb"].map((name) => join(repository, name));
    command(...dpkg(root), "--unpack", ...files);
    await apt.mend([agent]);
    expect(await apt.inspect(agent)).toMatchObject({ packageVersion: "15.4.6", condition: "whole" });
    expect(command("dpkg", `--admindir=${root}/var/lib/dpkg`, "--audit")).toBe("");
    expect(readFileSync(join(root, "etc/svc-ent.conf"), "utf8")).toBe("ours\n");
  });

  test.each(isWhole ? [1, 150, 290] : [150])(
    "after a dpkg that was killed at file %i, either version is installed from its file",
    async (files) => {
      const on = await host();
      await cutOff(on, files);
      expect(isInterrupted(join(on.root, "var/lib/dpkg"))).toBe(true);
      await on.apt.mend([agent]);
      expect(isInterrupted(join(on.root, "var/lib/dpkg"))).toBe(false);
      // Its files are a mixture, which only an installation repairs.
      expect(await on.apt.inspect(agent)).toMatchObject({ condition: "half-way" });
      await on.apt.installFile(change("15.4.5", { direction: "same" }), join(repository, "svc-ent_15.4.5_all.deb"));
      expect(await on.apt.inspect(agent)).toMatchObject({ packageVersion: "15.4.5", condition: "whole" });
      for (const name of ["version", "file-1", "file-300"])
        expect(readFileSync(join(on.root, "usr/share/svc-ent", name), "utf8")).toBe("15.4.5\n");
      await cutOff(on, files);
      await on.apt.mend([agent]);
      await on.apt.installFile(change("15.4.6"), join(repository, "svc-ent_15.4.6_all.deb"));
      expect(await on.apt.inspect(agent)).toMatchObject({ packageVersion: "15.4.6", condition: "whole" });
      const left = readdirSync(join(on.root, "usr/share/svc-ent")).filter((name) => name.includes(".dpkg-"));
      expect(left).toEqual([]);
      expect(existsSync(join(on.root, "var/lib/dpkg/tmp.ci"))).toBe(false);
    },
  );
});
