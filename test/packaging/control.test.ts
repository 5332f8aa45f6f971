import { expect, test } from "vitest";
import { changelog, controlFile, debianVersion } from "../../packaging/deb/control.ts";

test.each([
  ["1.2.3", "1.2.3"],
  ["1.2.3-rc.1", "1.2.3~rc.1"],
  ["1.2.3-rc.1-a", "1.2.3~rc.1-a"],
])("version %s is %s to dpkg", (version, expected) => {
  expect(debianVersion(version)).toBe(expected);
});

test("the control file ends with a newline and names the floors", () => {
  const control = controlFile({ version: "1.2.3", architecture: "arm64", installedKilobytes: 7 });
  expect(control).toMatch(/\n$/);
  expect(control).toContain("Architecture: arm64\n");
  expect(control).toMatch(/^Depends: .*libc6 \(>= 2\.28\).*systemd \(>= 247\)$/m);
});

test("the changelog's date is the build's, in the form that dpkg reads", () => {
  expect(changelog("1.2.3", 1_760_000_000)).toMatch(/^ -- .*>  Thu, 09 Oct 2025 08:53:20 \+0000$/m);
});
