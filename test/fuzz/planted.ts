import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownSource } from "./source.ts";

/** One edit of one file below `src`. */
export type Planted = {
  readonly title: string;
  /** Who has to find it. */
  readonly target: string;
  readonly path: string;
  readonly find: string;
  readonly replacement: string;
  /** What the finding says. */
  readonly told: RegExp;
};

export const plantedBugs: readonly Planted[] = [
  {
    title: "a crash",
    target: "proxy",
    path: "rules/route/proxy.ts",
    find: "  } catch {",
    replacement: "  } catch (thrown) {\n    throw thrown;",
    told: /^crashes: URIError/,
  },
  {
    title: "a secret in a message",
    target: "proxy",
    path: "rules/route/proxy.ts",
    find: '"its user or password has a % that is not followed by two hex digits of UTF-8"',
    replacement: "`its user or password, ${text}, has a % that is not followed by two hex digits of UTF-8`",
    told: /^tells the password: /,
  },
  {
    title: "a list that loses its first row when it is written",
    target: "state",
    path: "rules/shape/write.ts",
    find: "rows.slice(0, form.most)",
    replacement: "rows.slice(1, form.most)",
    told: / prints as .*, which is read as /,
  },
];

/** It accepts nothing wrong; it never ends. */
export const plantedHang: Planted = {
  title: "a loop that never ends",
  target: "version",
  path: "rules/version/version.ts",
  find: "if (text.length > longestVersion) return undefined;",
  replacement: 'if (text.length > longestVersion) return undefined;\n  while (text.includes("["));',
  told: /^does not end within 2000 ms$/,
};

/** A copy of the source with the bug in it. */
export function plant(planted: Planted): { readonly source: string; readonly remove: () => void } {
  const text = edited(planted);
  const scratch = mkdtempSync(join(tmpdir(), "svc-upgrade-planted-"));
  const source = join(scratch, "src");
  cpSync(ownSource, source, { recursive: true });
  symlinkSync(join(ownSource, "../node_modules"), join(scratch, "node_modules"));
  writeFileSync(join(scratch, "package.json"), '{ "type": "module" }\n');
  writeFileSync(join(source, planted.path), text);
  return { source, remove: () => rmSync(scratch, { recursive: true }) };
}

function edited({ title, path, find, replacement }: Planted): string {
  const text = readFileSync(join(ownSource, path), "utf8");
  if (!text.includes(find)) throw new Error(`"${title}" cannot be planted: ${path} does not hold ${find}`);
  return text.replace(find, () => replacement);
}
