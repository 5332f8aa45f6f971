import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildDate } from "./project.ts";
import { runTool } from "./tool.ts";

/** Packs a folder as tar, owned by root, with the commit's time. Every build of one commit gives the same bytes. `as` renames its top. */
export function packedTree(folder: string, as?: { readonly from: string; readonly to: string }): Buffer {
  const scratch = mkdtempSync(join(tmpdir(), "svc-upgrade-tar-"));
  const file = join(scratch, "tar");
  try {
    const always = ["--format=ustar", "--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mode=u=rwX,go=rX"];
    const named = as === undefined ? [] : [`--transform=s,^${as.from},${as.to},`];
    runTool([
      "tar",
      "--create",
      `--file=${file}`,
      ...always,
      `--mtime=@${buildDate()}`,
      ...named,
      `--directory=${folder}`,
      as?.from ?? ".",
    ]);
    return readFileSync(file);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
