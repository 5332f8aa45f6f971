import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

import { movesByItself, rivals } from "../../../../src/updater/package/yum/examine/rivals.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";
import { scratchFolder } from "../../../machine/files/scratch.ts";

const agent = "svc-ent" as PackageName;

describe("dnf-automatic", () => {
  const shipped = "[commands]\nupgrade_type = default\napply_updates = no\n\n[base]\ndebuglevel = 1\n";
  test.each<{ title: string; text: string; applies: "always" | "as-configured"; moves: boolean }>([
    {
      title: "leaves alone what it excludes by the older word",
      text: `${shipped}exclude=svc-ent\n`,
      applies: "always",
      moves: false,
    },
    { title: "leaves alone what it excludes", text: `${shipped}excludepkgs = other, svc-ent\n`, applies: "always", moves: false },
  ])("$title", ({ text, applies, moves }) => {
    expect(movesByItself(text, agent, applies)).toBe(moves);
  });

  const scratch = scratchFolder();
  test.each<{ title: string; text: string; timers: readonly string[]; isRival: boolean }>([
    {
      title: "its configured timer runs",
      text: shipped.replace("= no", "= yes"),
      timers: ["dnf-automatic.timer"],
      isRival: true,
    },
    { title: "that timer only downloads", text: shipped, timers: ["dnf-automatic.timer"], isRival: false },
    { title: "the other one installs", text: shipped, timers: ["dnf-automatic-install.timer"], isRival: true },
    { title: "no timer runs", text: shipped.replace("= no", "= yes"), timers: [], isRival: false },
  ])("is a rival or not where $title: $isRival", async ({ text, timers, isRival }) => {
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
