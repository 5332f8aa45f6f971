import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

import { movesByItself, rivals } from "../../../../src/updater/package/yum/yum-examiner.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";
import { scratchFolder } from "../../../machine/files/scratch.ts";

const agent = "svc-ent" as PackageName;

describe("dnf-automatic", () => {
  const shipped = "[commands]\nupgrade_type = default\napply_updates = no\n\n[base]\ndebuglevel = 1\n";
  test.each<[title: string, text: string, applies: "always" | "as-configured", moves: boolean]>([
    ["leaves alone what it excludes by the older word", `${shipped}exclude=svc-ent\n`, "always", false],
    ["leaves alone what it excludes", `${shipped}excludepkgs = other, svc-ent\n`, "always", false],
  ])("%s", (_title, text, applies, moves) => {
    expect(movesByItself(text, agent, applies)).toBe(moves);
  });

  const scratch = scratchFolder();
  test.each<[title: string, isRival: boolean, text: string, timers: readonly string[]]>([
    ["its configured timer runs", true, shipped.replace("= no", "= yes"), ["dnf-automatic.timer"]],
    ["that timer only downloads", false, shipped, ["dnf-automatic.timer"]],
    ["the other one installs", true, shipped, ["dnf-automatic-install.timer"]],
    ["no timer runs", false, shipped.replace("= no", "= yes"), []],
  ])("is a rival or not where %s: %s", async (_title, isRival, text, timers) => {
    const root = mkdtempSync(`${scratch}/root-`);
    const isActive = (unit: string): Promise<boolean> => Promise.resolve(timers.includes(unit));
    expect(await rivals(agent, isActive, root)).toEqual([]);
    mkdirSync(`${root}/etc/dnf`, { recursive: true });
    writeFileSync(`${root}/etc/dnf/automatic.conf`, text);
    const rival = {
      told: "dnf-automatic moves svc-ent too, whatever the window says",
      fix: "sudo sed -i '/^\\[base\\]/a excludepkgs = svc-ent' /etc/dnf/automatic.conf",
    };
    expect(await rivals(agent, isActive, root)).toEqual(isRival ? [rival] : []);
  });
});
