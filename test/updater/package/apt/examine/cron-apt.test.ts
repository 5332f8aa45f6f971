import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { installingActions } from "../../../../../src/updater/package/apt/examine/rivals.ts";
import { scratchFolder } from "../../../../machine/files/scratch.ts";

const root = scratchFolder();
const actions = `${root}/etc/cron-apt/action.d`;

beforeEach(() => {
  rmSync(`${root}/etc`, { recursive: true, force: true });
  mkdirSync(actions, { recursive: true });
  mkdirSync(`${root}/etc/cron.d`);
  writeFileSync(`${root}/etc/cron.d/cron-apt`, "0 4 * * * root /usr/sbin/cron-apt\n");
  writeFileSync(`${actions}/0-update`, "update -o quiet=2\n");
  writeFileSync(`${actions}/3-download`, "autoclean -y\ndist-upgrade -d -y -o APT::Get::Show-Upgraded=true\n");
});

describe("cron-apt", () => {
  test.each(["upgrade -y -o quiet=1", "-y full-upgrade"])("installs by the action %s", (line) => {
    writeFileSync(`${actions}/5-install`, `# what is new\n${line}\n`);
    expect(installingActions(root)).toEqual([`${actions}/5-install`]);
    writeFileSync(`${actions}/5-install`, `${line.replace("upgrade", "upgrade --download-only")}\n`);
    expect(installingActions(root)).toEqual([]);
  });

  test.each(["# dist-upgrade -y", "upgrade --dry-run", "install upgrade-system"])("does not install by the line %s", (line) => {
    writeFileSync(`${actions}/5-install`, `${line}\n`);
    expect(installingActions(root)).toEqual([]);
  });

  test("does nothing without its job or its actions", () => {
    writeFileSync(`${actions}/5-install`, "dist-upgrade -y\n");
    rmSync(`${root}/etc/cron.d/cron-apt`);
    expect(installingActions(root)).toEqual([]);
    writeFileSync(`${root}/etc/cron.d/cron-apt`, "");
    rmSync(actions, { recursive: true });
    expect(installingActions(root)).toEqual([]);
  });
});
