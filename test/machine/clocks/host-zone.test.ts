import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { hostZoneSign } from "../../../src/machine/clocks/host-zone-sign.ts";
import { readHostZone } from "../../../src/machine/clocks/host-zone.ts";
import { scratchFolder } from "../files/scratch.ts";

const folder = scratchFolder();
const zoneinfo = `${folder}/usr/share/zoneinfo`;
const paths = { localtime: `${folder}/localtime`, zoneinfo };
mkdirSync(`${zoneinfo}/Europe`, { recursive: true });
writeFileSync(`${zoneinfo}/Europe/Berlin`, "TZif of Berlin");
writeFileSync(`${zoneinfo}/UTC`, "TZif of UTC");
const names = (): readonly string[] => ["UTC", "Asia/Nowhere", "Europe/Berlin"];

function set(make: (path: string) => void): void {
  rmSync(paths.localtime, { recursive: true, force: true });
  make(paths.localtime);
}

const linkTo = (target: string) => (path: string) => symlinkSync(target, path);

describe("the zone that the host is set to", () => {
  test.each<[string, (path: string) => void, string]>([
    ["as timedatectl links it", linkTo("../usr/share/zoneinfo/Europe/Berlin"), "Europe/Berlin"],
    ["of one part", linkTo("/usr/share/zoneinfo/UTC"), "UTC"],
    ["of three", linkTo("/usr/share/zoneinfo/America/Argentina/Salta"), "America/Argentina/Salta"],
    ["by another directory of the same", linkTo("/usr/share/zoneinfo/posix/Europe/Berlin"), "Europe/Berlin"],
    [
      "by a link to such a link",
      (path) => (symlinkSync(`${zoneinfo}/Europe/Berlin`, `${folder}/hop`), symlinkSync("hop", path)),
      "Europe/Berlin",
    ],
    ["without the tables that the link leads to", linkTo("/nowhere/zoneinfo/Europe/Berlin"), "Europe/Berlin"],
    ["as nothing says", () => undefined, "UTC"],
    ["as a copy of its table", (path) => writeFileSync(path, "TZif of Berlin"), "Europe/Berlin"],
  ])("%s", (_title, make, zone) => {
    set(make);
    expect(readHostZone(paths, names)).toEqual({ kind: "zone", zone });
  });

  test.each<[string, (path: string) => void, string]>([
    ["a link to something else", linkTo("/etc/hostname"), "is a link to no time zone"],
    ["a link to nothing", linkTo("/nowhere"), "is a link to no time zone"],
    ["a table that is none of the host's", (path) => writeFileSync(path, "TZif of nowhere"), "is a file like none below"],
    ["a directory", (path) => mkdirSync(path), "is a file like none below"],
  ])("is not known by %s", (_title, make, why) => {
    set(make);
    expect(readHostZone(paths, names)).toMatchObject({ kind: "unknown", why: expect.stringContaining(why) as string });
  });

  test("is not known where it cannot be looked at", () => {
    const localtime = `${folder}/usr/share/zoneinfo/UTC/localtime`;
    expect(readHostZone({ localtime, zoneinfo }, names)).toMatchObject({
      kind: "unknown",
      why: expect.stringContaining(localtime) as string,
    });
  });
});

test("its sign is another one when it is set anew, and the same when it is not", () => {
  const signs = [
    linkTo("/usr/share/zoneinfo/UTC"),
    linkTo("/usr/share/zoneinfo/Europe/Berlin"),
    () => undefined,
    (path: string) => writeFileSync(path, "one"),
    (path: string) => (
      writeFileSync(`${folder}/new`, "two"),
      utimesSync(`${folder}/new`, 1, 1),
      renameSync(`${folder}/new`, path)
    ),
  ].map((make) => {
    set(make);
    return [hostZoneSign(paths), hostZoneSign(paths)];
  });
  expect(signs.every(([first, second]) => first === second)).toBe(true);
  expect(new Set(signs.flat()).size).toBe(signs.length);
});
