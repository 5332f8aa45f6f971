import { databaseHint } from "../database.ts";
import { Fault } from "../../../../rules/fault/fault.ts";
import { quote } from "../../../../rules/text/quote.ts";
import type { Ended } from "../../call/result.ts";
import { namesIn } from "../../../../machine/files/names-in.ts";

/** These findings only say that dpkg lacks some data about a package. A transaction can still start. */
const merelyMissing = /missing the \w+ control file|architecture/;

/** `dpkg --audit` prints a paragraph for each kind of problem: first its description, then a line for each package. */
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

/** Whether dpkg was interrupted. It writes each change into a journal before it makes it, and removes the entry afterwards. */
export function isInterrupted(database: string): boolean {
  return namesIn(`${database}/updates`).some((name) => /^\d+$/.test(name));
}
