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
  test("passes the lower-case proxies on and nothing else", () => {
    const env = aptEnvironment({ http_proxy: "http://p:1", HTTP_PROXY: "http://q:1", LD_PRELOAD: "x" }, undefined);
    expect(env).toMatchObject({ http_proxy: "http://p:1", LC_ALL: "C.UTF-8", DEBIAN_FRONTEND: "noninteractive" });
    expect(Object.keys(env)).not.toContain("LD_PRELOAD");
    expect(Object.keys(env)).not.toContain("HTTP_PROXY");
    expect(Object.keys(env)).not.toContain("APT_CONFIG");
  });
});
