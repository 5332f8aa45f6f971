import { dirname, join, normalize } from "node:path";

/** A link of a document to another file of the project, or to a heading. */
export type Link = { readonly written: string; readonly path: string; readonly anchor: string | undefined };

/** Relative to the project; what leads out of it (https:) is left out. */
export function linksIn(document: string, text: string): readonly Link[] {
  return [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, written = ""]) => written)
    .filter((written) => !/^[a-z]+:/.test(written))
    .map((written) => {
      const [path = "", anchor] = written.split("#");
      return { written, path: path === "" ? document : normalize(join(dirname(document), path)), anchor };
    });
}

/** As the usual viewers name them. */
export function anchorsIn(text: string): readonly string[] {
  return [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

function prose(text: string): string {
  return withoutCode(text).replaceAll(/`[^`\n]*`/g, "");
}

function withoutCode(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, "").replaceAll(/^ {4}.*$/gm, "");
}
