import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { askBuild } from "../../../../src/updater/package/zypper/working-half.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";
import type { PackageVersion } from "../../../../src/rules/version/wrapped.ts";
import { scratchOfTest } from "../../../machine/files/scratch.ts";

const wanted = { name: "svc-ent" as PackageName, version: "15.4.6-1" as PackageVersion };
const [one, other] = ["a".repeat(64), "b".repeat(64)];
const none = { sha256: undefined, bytes: undefined };

type Row = {
  readonly name?: string;
  readonly arch?: string;
  readonly rel?: string;
  readonly sha256?: string;
  readonly size?: number;
};

function element({ name = "svc-ent", arch = "noarch", rel = "1", sha256 = one, size = 7 }: Row): string {
  return `<package type="rpm">
  <name>${name}</name>
  <arch>${arch}</arch>
  <version epoch="0" ver="15.4.6" rel="${rel}"/>
  <checksum type="sha256" pkgid="YES">${sha256}</checksum>
  <size package="${size}" installed="20" archive="9"/>
</package>`;
}

function list(...rows: readonly Row[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<metadata packages="${rows.length}">\n${rows.map(element).join("\n")}\n</metadata>\n`;
}

/** A host with these lists, by repository. */
function host(lists: Readonly<Record<string, Readonly<Record<string, Buffer | string>>>>): string {
  const root = scratchOfTest();
  for (const [alias, files] of Object.entries(lists)) {
    const folder = join(root, "var/cache/zypp/raw", alias, "repodata");
    mkdirSync(folder, { recursive: true });
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  }
  return root;
}

const others: readonly Row[] = [
  { name: "svc-ent-updater", sha256: other },
  { arch: "s390x", sha256: other },
  { rel: "2", sha256: other },
];

test("the build of a version is found among others in a list that is packed", async () => {
  const packed = gzipSync(list(...others, {}));
  const root = host({ odd_svc: { [`${one}-primary.xml.gz`]: packed, "repomd.xml": "<repomd/>", "primary.xml.xz": "" } });
  expect(await askBuild(root, ["odd/svc"], wanted)).toEqual({ sha256: one, bytes: 7 });
});

test("a list is read in pieces that end anywhere", async () => {
  const many = Array.from({ length: 3000 }, (_, index) => ({ name: `package-${index}` }));
  const root = host({ svc: { "primary.xml": list(...many, { size: 8 }, ...many) } });
  expect(await askBuild(root, ["svc"], wanted)).toEqual({ sha256: one, bytes: 8 });
});

test("where two repositories offer different files of a version its build is not known", async () => {
  const root = host({ svc: { "primary.xml": list({}) }, mirror: { "primary.xml": list({ sha256: other }) } });
  expect(await askBuild(root, ["svc", "mirror"], wanted)).toEqual(none);
});
