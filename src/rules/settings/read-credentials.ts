import { accepted } from "../shape/reading.ts";
import { allowing, named, parsed, refined, type Shape } from "../shape/shape.ts";
import { parsePath } from "./read-text.ts";
import type { Credential } from "./settings.ts";

/** More than any command needs, and few enough for one unit. */
const mostCredentials = 16;

/** A name that LoadCredential= takes, and that neither a shell nor systemd splits. */
const nameRule = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/;

/** systemd expands specifiers in it and ends it at white space. */
const file: Shape<string> = parsed(
  (text) => (/[%\s"'\\]/.test(text) ? undefined : parsePath(text)),
  "an absolute path of a file, without white space, quotes, % and backslashes",
);

const rule =
  "a mapping of at most 16 names to absolute paths of files, for example {token: /etc/svc-upgrade/token}; a name is of letters, digits, _, - and .";

/** The file for each name. */
export const credentials: Shape<readonly Credential[]> = allowing(
  rule,
  refined(named(file, { isName: (name) => nameRule.test(name), name: rule, most: mostCredentials }), (files) =>
    accepted(Object.entries(files).map(([name, path]) => ({ name, file: path }))),
  ),
);
