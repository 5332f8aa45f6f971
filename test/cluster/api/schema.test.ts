import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { project } from "../../documents.ts";

const api = join(project, "src/cluster/api");
const released = join(project, "src/cluster/api/released.binpb");
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "schema-"));
  cpSync(api, folder, { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function buf(...argv: readonly string[]): { readonly status: number | null; readonly said: string } {
  const bin = join(project, "node_modules/.bin");
  // It wants a place for what it keeps between calls, and a minimal machine names none.
  const env = { ...process.env, HOME: folder, PATH: `${bin}:${process.env["PATH"] ?? ""}` };
  const { status, stdout, stderr } = spawnSync(join(bin, "buf"), argv, { cwd: folder, env, encoding: "utf8" });
  return { status, said: `${stdout}${stderr}` };
}

function texts(of: string): readonly (readonly [string, string])[] {
  const names = readdirSync(of, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  return names.toSorted().map((name) => [name, readFileSync(join(of, name), "utf8")]);
}

describe("the schema of auth's calls", () => {
  test("is as buf would have it", () => {
    expect(buf("lint")).toEqual({ status: 0, said: "" });
  });

  test("breaks nobody who was built with the one before", () => {
    expect(buf("breaking", "--against", released)).toEqual({ status: 0, said: "" });
  });

  test("would be found out if it took a field away", () => {
    const path = join(folder, "svc/v1/token.proto");
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace("  bool ephemeral = 7;\n", ""));
    const { status, said } = buf("breaking", "--against", released);
    writeFileSync(path, text);
    expect([status, said]).toEqual([100, expect.stringContaining("ephemeral")]);
  });

  test("is what the types are made of: `npm run api` makes them anew", () => {
    expect(buf("generate")).toEqual({ status: 0, said: "" });
    expect(texts(join(folder, "generated"))).toEqual(texts(join(api, "generated")));
  });
});
