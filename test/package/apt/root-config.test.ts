import { describe, expect, test } from "vitest";
import { aptEnvironment } from "../../../src/package/apt/environment.ts";
import { rootConfig } from "../../../src/package/apt/root-config.ts";

describe("apt below another root", () => {
  test("is turned to that root, its hooks and its dpkg included", () => {
    const text = rootConfig("/scratch");
    expect(text).toContain('Dir "/scratch/";');
    expect(text).toContain('"--root=/scratch"');
    expect(text).toContain('Dir::Etc::parts "/dev/null";');
  });

  test.each(['/with "quotes"', "/with\\backslash", "/with\nline"])(
    "refuses the root %j, which its configuration cannot name",
    (root) => {
      expect(() => rootConfig(root)).toThrow("cannot work below");
    },
  );
});

describe("the environment of apt", () => {
  test("holds what is fixed, and hides a no_proxy that apt would read in its own way", () => {
    const env = aptEnvironment(undefined, "");
    expect(env).toMatchObject({ no_proxy: "", LC_ALL: "C.UTF-8", LANGUAGE: "", DEBIAN_FRONTEND: "noninteractive" });
    expect(Object.keys(env)).not.toContain("APT_CONFIG");
    expect(aptEnvironment("/scratch/apt.conf", ".corp.example")).toMatchObject({
      no_proxy: ".corp.example",
      APT_CONFIG: "/scratch/apt.conf",
    });
  });
});
