import { bodyText } from "./checked.ts";
import type { AuditEntry, Expectation, Item, Revision } from "./port.ts";

export function revisionOf(count: number): Revision {
  return String(count) as Revision;
}

export function entryText({ event, actor, origin, kind, name, before, after, detail }: AuditEntry): string {
  return bodyText({ event, actor, origin, kind, name, detail, ...(before && { before }), ...(after && { after }) });
}

/** Escapes a text as JSON does, so that it can be compared and stored in UTF-8 without loss. */
export function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

export function unescaped(text: string): string {
  return JSON.parse(`"${text}"`) as string;
}

export function meets(found: Item | undefined, expect: Expectation): boolean {
  switch (expect.kind) {
    case "absent":
      return found === undefined;
    case "present":
      return found !== undefined;
    case "revision":
      return found?.revision === expect.revision;
    case "anything":
      return true;
  }
}

export function majorOf(release: string): number {
  const major = Number.parseInt(release.replace(/^v/, ""), 10);
  if (Number.isNaN(major)) throw new RangeError(`${release} is no release`);
  return major;
}
