import { expect, test } from "vitest";
import { debContents } from "../../packaging/deb/package.ts";
import { rpmContents } from "../../packaging/rpm/package.ts";
import type { TreeFile } from "../../packaging/tree.ts";

/** What Debian's policy asks of a package, and what it has in other places than the others. */
const debianAlone = [
  "usr/share/doc/svc-ent-updater/changelog.gz",
  "usr/share/doc/svc-ent-updater/copyright",
  "usr/share/lintian/overrides/svc-ent-updater",
];
const elsewhere = new Map([
  ["usr/share/zsh/vendor-completions/_svc-upgrade", "usr/share/zsh/site-functions/_svc-upgrade"],
  ["usr/share/doc/svc-ent-updater/third-party-notices.gz", "usr/share/licenses/svc-ent-updater/third-party-notices.gz"],
]);
const rpmAlone = ["usr/share/licenses/svc-ent-updater/LICENSE"];

test.each(["amd64", "arm64"] as const)(
  "the .deb and the .rpm for %s hold the same, each in its distributions' places",
  (architecture) => {
    const fromDeb = debContents(architecture)
      .filter(({ to }) => !debianAlone.includes(to))
      .map((file) => ({ ...file, to: elsewhere.get(file.to) ?? file.to }));
    const fromRpm = rpmContents(architecture).filter(({ to }) => !rpmAlone.includes(to));
    expect(fromRpm).toEqual(fromDeb);
    expect(fromRpm.length).toBeGreaterThan(20);
  },
);

test.each([
  ["deb", debContents("amd64"), debianAlone],
  ["rpm", rpmContents("amd64"), rpmAlone],
] as const)("the %s has no name twice, and has what is its own", (_format, files: readonly TreeFile[], own) => {
  const names = files.map(({ to }) => to);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(expect.arrayContaining([...own]));
});
