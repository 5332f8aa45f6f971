import { accepted } from "../shape/reading.ts";
import { allowing, named, parsed, refined, type Shape } from "../shape/shape.ts";
import { parsePath } from "./read-text.ts";
import type { Credential } from "./settings.ts";

/** More than any command needs, and not too many for one unit. */
const mostCredentials = 16;

/** A name that LoadCredential= takes, and that no shell and no systemd splits. */
const nameRule = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/;

/** Refuses specifiers and white space: systemd expands the former, and ends the path at the latter. */
const file: Shape<string> = parsed(
  (text) => (/[%\s"'\\]/.test(text) ? undefined : parsePath(text)),
  "an absolute path of a file, without white space, quotes, % and backslashes",
);

const rule =
  "a mapping of at most 16 names to absolute paths of files, for example {token: /etc/svc-upgrade/token}; a name is of letters, digits, _, - and .";

/** Reads a mapping of names to files. */
export const credentials: Shape<readonly Credential[]> = allowing(
  rule,
  refined(named(file, { isName: (name) => nameRule.test(name), name: rule, most: mostCredentials }), (files) =>
    accepted(Object.entries(files).map(([name, path]) => ({ name, file: path }))),
  ),
);
