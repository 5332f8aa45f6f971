import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { products } from "../../packaging/products/products.ts";
import { complaints } from "../updater/cli/documented.ts";
import { builtPackage } from "./built-package.ts";
import { runProgram } from "./lab/program.ts";
import { inLab, scenario } from "./lab/scenario.ts";
import { outdatedHost, withUpdater } from "./updater.ts";

const rpmlint = ["rpmlint", "--strict", "--config", join(import.meta.dirname, "../../packaging/rpm/rpmlint.toml")];
/** Whoever builds a package is root as often as not. */
const lintian = ["lintian", "--allow-root", "--fail-on", "error,warning"];
/** They read every byte of an executable that is a whole runtime. */
const longestMs = 240_000;

describe.each(products)("the packages of $program", ({ packageName }) => {
  test(
    "leave lintian nothing to say against the .deb",
    inLab(async () => {
      const ended = await runProgram([...lintian, await builtPackage(packageName, "deb")], { timeoutMs: longestMs });
      expect(ended).toMatchObject({ status: 0, stdout: "" });
    }),
  );

  test(
    "leave rpmlint nothing to say against the .rpm beyond what is explained",
    inLab(async () => {
      const ended = await runProgram([...rpmlint, await builtPackage(packageName, "rpm")], { timeoutMs: longestMs });
      expect(ended.stdout).toContain("0 errors, 0 warnings");
      expect(ended.status).toBe(0);
    }),
  );
});

test(
  "the schemas describe the answers of a booted host, key by key",
  scenario(withUpdater({ suite: "bookworm" }), async (stage) => {
    await outdatedHost(stage);
    const { host } = stage;
    const said = async (schema: string, ...command: readonly string[]): Promise<unknown> => {
      const { stdout, stderr } = await host.run(["svc-upgrade", ...command, "--json"]);
      expect([stdout, stderr]).toEqual([expect.stringMatching(/^\{/), expect.any(String)]);
      const answer: unknown = JSON.parse(stdout);
      expect([command, ...complaints(schema, answer)]).toEqual([command]);
      return answer;
    };
    await said("answer", "run", "--now");
    await said("answer", "rollback");
    await said("doctor", "doctor");
    const agent = { unit: "svc.service", state: "active", since: expect.any(String), process: expect.any(Number) };
    const timer = { enabled: true, active: true, next: expect.any(String) };
    expect(await said("status", "status")).toMatchObject({ units: "units", agent, timer });
  }),
);
