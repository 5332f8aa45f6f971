import { describe, expect, test } from "vitest";
import { products } from "../../packaging/products/products.ts";
import { server } from "../../packaging/products/server.ts";
import { updater } from "../../packaging/products/updater.ts";
import { changelog, controlFile, debianVersion } from "../../packaging/deb/control.ts";

test.each([
  ["1.2.3", "1.2.3"],
  ["1.2.3-rc.1", "1.2.3~rc.1"],
  ["1.2.3-rc.1-a", "1.2.3~rc.1-a"],
])("version %s is %s to dpkg", (version, expected) => {
  expect(debianVersion(version)).toBe(expected);
});

describe.each(products)("the control file of $packageName", (product) => {
  const control = controlFile(product, { version: "1.2.3", architecture: "arm64", installedKilobytes: 7 });

  test("ends with a newline and names the floors", () => {
    expect(control).toMatch(/\n$/);
    expect(control).toContain(`Package: ${product.packageName}\n`);
    expect(control).toContain("Architecture: arm64\n");
    expect(control).toMatch(/^Depends: .*libc6 \(>= 2\.28\).*systemd \(>= 247\)$/m);
  });

  test("has a description whose lines every tool can show", () => {
    expect(product.summary).toMatch(/^[a-z].{0,78}[^.]$/);
    for (const line of product.description) expect(line).toMatch(/^\S.{0,77}\S$/);
  });
});

test("what is neither enabled nor started says so where people read before they install", () => {
  const { description } = server;
  expect(description.join(" ")).toMatch(
    /neither enables nor starts .*\/etc\/svc\.yaml.*systemctl enable --now svc-proxy\.service/,
  );
});

test("the changelog's date is the build's, in the form that dpkg reads", () => {
  expect(changelog(updater.packageName, "1.2.3", 1_760_000_000)).toMatch(/^ -- .*>  Thu, 09 Oct 2025 08:53:20 \+0000$/m);
});
