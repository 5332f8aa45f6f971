import { describe, expect, test } from "vitest";
import type { DoctorJson } from "../../../src/updater/cli/json/doctor.ts";
import { makeRoot, missingForRoots, program, versionsOfFile, type Root } from "./given.ts";

const missing = missingForRoots();

const versions = await versionsOfFile();

/** All that can be looked at below another root is well. */
function host(): Root {
  const root = makeRoot("15.4.5");
  root.write("etc/svc-upgrade/10-test.yaml", `endpoint: ${versions.url}\nkeep_previous: never\n`);
  root.schedule("open");
  versions.serve({ version: "15.4.5" });
  return root;
}

async function examine(
  root: Root,
  ...args: readonly string[]
): Promise<{ readonly status: number; readonly answer: DoctorJson }> {
  const { status, stdout } = await program(["doctor", "--json", "--root", root.path, ...args]);
  expect(stdout.indexOf("\n")).toBe(stdout.length - 1);
  return { status, answer: JSON.parse(stdout) as DoctorJson };
}

function of(answer: DoctorJson, verdict: string): readonly string[] {
  return answer.checks.filter((check) => check.verdict === verdict).map(({ name }) => name);
}

describe.skipIf(missing !== undefined)("doctor below another root", () => {
  test("ends well where nothing failed, and says why it skips what is never run there", async () => {
    const { status, answer } = await examine(host());
    expect([status, answer.schema, answer.failed, of(answer, "failed")]).toEqual([0, 1, 0, []]);
    expect(of(answer, "skipped")).toEqual(expect.arrayContaining(["agent", "binary", "timer", "rivals"]));
    expect(of(answer, "ok")).toEqual(
      expect.arrayContaining(["settings", "answer", "schedule", "package", "manager", "offer", "disk"]),
    );
    expect(answer.warnings).toBe(of(answer, "warning").length);
  });

  test("counts what failed, and ends with 69", async () => {
    const root = host();
    versions.serve({ version: "<html>log in</html>" });
    root.write("etc/svc-upgrade.d/schedule", "1700000000 1700003600\n");
    root.write("var/lib/dpkg/status", "");
    const { status, answer } = await examine(root);
    expect([status, answer.failed]).toEqual([69, 3]);
    expect(of(answer, "failed")).toEqual(["answer", "schedule", "package"]);
    expect(answer.checks.find(({ name }) => name === "package")?.fix).toBe(`svc-upgrade run --root ${root.path} --now --install`);
  });

  test("names commands of its own that are about the same root", async () => {
    const root = host();
    root.write("etc/svc-upgrade/10-test.yaml", "keep_previous: never\n");
    root.write("var/lib/dpkg/status", "");
    const { answer } = await examine(root);
    const fixes = answer.checks.flatMap(({ fix }) => (fix?.includes("svc-upgrade ") === true ? [fix] : []));
    expect(fixes).toEqual([
      `svc-upgrade enroll --root ${root.path} --endpoint https://proxy.example.com`,
      `svc-upgrade run --root ${root.path} --now --install`,
    ]);
  });

  test("tells the same in lines of 80 columns, each fix whole, and the counts at the end", async () => {
    const root = host();
    root.write("etc/svc-upgrade.d/schedule", "1700000000 1700003600\n");
    const { status, stdout } = await program(["doctor", "--root", root.path]);
    expect(status).toBe(69);
    const lines = stdout.trimEnd().split("\n");
    expect(lines.at(-1)).toMatch(/^1 failed, \d+ warnings?, \d+ skipped$/);
    expect(lines).toContain(
      `    echo 'window: {utc_start_hour: 23, weekdays: [Tue]}' | sudo tee ${root.path}/etc/svc-upgrade/60-window.yaml`,
    );
    const told = lines.filter((line) => !line.startsWith("    ") || line.startsWith(" ".repeat(19)));
    // A path or a URL stays whole, for whoever copies it.
    expect(told.filter((line) => line.length > 80 && line.slice(19).includes(" "))).toEqual([]);
  });
});
