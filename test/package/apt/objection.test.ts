import { describe, expect, test } from "vitest";
import { statusAfter } from "../../../src/package/apt/objection.ts";

const own = "Package: svc-ent\nStatus: install ok installed\nVersion: 15.4.5\n";
const other = "Package: bystander\nStatus: hold ok installed\nVersion: 1.0\nDescription: for a test\n .\n more of it\n";
const arrived = "Package: svc-ent\nVersion: 15.4.6\n";
const added = "Package: extra\nVersion: 1.0\n\n";

describe("what dpkg will know once packages are installed", () => {
  test("has them in the place of what they exchange, whole, and all else as it was", () => {
    // Between two packages there is one empty line, or more.
    expect(statusAfter(`${own}\n${other}`, [arrived, added]).replaceAll(/\n{3,}/g, "\n\n")).toBe(
      [
        other,
        "Package: svc-ent\nVersion: 15.4.6\nStatus: install ok installed\n",
        "Package: extra\nVersion: 1.0\nStatus: install ok installed\n",
      ].join("\n"),
    );
  });

  test("has nothing but them on a host without any package", () => {
    expect(statusAfter("", [arrived])).toBe("Package: svc-ent\nVersion: 15.4.6\nStatus: install ok installed\n");
  });

  test("leaves one alone whose name only begins like theirs", () => {
    const libs = "Package: svc-ent-libs\nStatus: install ok installed\nVersion: 15.4.5\n";
    expect(statusAfter(`${own}\n${libs}`, [arrived])).toContain(libs.trim());
    expect(statusAfter(`${own}\n${libs}`, [arrived])).not.toContain(
      "Package: svc-ent\nStatus: install ok installed\nVersion: 15.4.5",
    );
  });
});
