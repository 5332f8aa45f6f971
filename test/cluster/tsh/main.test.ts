import { expect, test } from "vitest";
import { said } from "./running.ts";

test("says its version, in words and in JSON", async () => {
  expect(await said(["version"])).toEqual({ status: 0, out: "tsh 0.0.0-source\n", error: "" });
  expect(JSON.parse((await said(["version", "--json"])).out)).toEqual({ schema: 1, version: "0.0.0-source" });
});

test("says that it opens no shells, whatever is asked for", async () => {
  const { status, error } = await said(["ssh", "-A", "root@host", "uptime"]);
  expect(status).toBe(64);
  expect(error).toBe(
    "error: tsh opens no shells on hosts: this cluster serves versions, windows and rollouts\n" +
      "next: use the way that you reach the host by today, for example `ssh USER@HOST`\n",
  );
});

test("shows what there is on one screen", async () => {
  const { status, out } = await said([]);
  expect(status).toBe(0);
  expect(out).toContain("  login    sign in, for 12 hours\n");
  expect(out).not.toContain("ssh");
  expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(out.split("\n").length).toBeLessThanOrEqual(24);
  expect((await said(["logni"])).status).toBe(64);
});
