import { databaseHint } from "../database.ts";
import { Fault } from "../../../../rules/fault/fault.ts";
import { quote } from "../../../../rules/text/quote.ts";
import type { Ended } from "../../call/result.ts";
import { namesIn } from "../../../../machine/files/names-in.ts";

/** Nothing that keeps a transaction from starting: dpkg would only like to have more of the package. */
const merelyMissing = /missing the \w+ control file|architecture/;

/** What `dpkg --audit` found: for each kind of trouble a paragraph, of some lines that say what, and then one for each package. */
export function auditFrom({ status, stdout, output }: Ended): readonly string[] {
  if (status !== 0) {
    throw new Fault("database-broken", {
      message: `dpkg cannot audit its database: ${quote(output, 200)}`,
      hint: databaseHint,
    });
  }
  const troubles = stdout.split("\n\n").filter((paragraph) => !merelyMissing.test(paragraph.split(/^ /m)[0] ?? ""));
  const packages = troubles.flatMap((trouble) => [...trouble.matchAll(/^ (\S+)/gm)].map((match) => match[1] ?? ""));
  return [...new Set(packages)].map((name) => `${name} is not properly installed`);
}

/** dpkg writes each change down before it makes it, and removes that at its end. */
export function isInterrupted(database: string): boolean {
  return namesIn(`${database}/updates`).some((name) => /^\d+$/.test(name));
}
