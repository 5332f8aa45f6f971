import { settingsReference } from "../../../src/settings/reference.ts";
import type { Answer } from "../answer.ts";
import { meaningsOf } from "../../../src/shape/shown.ts";
import { list, oneOf, record, text } from "../shapes.ts";

const settings = Object.fromEntries(settingsReference().map((row) => [row.key, row]));

export const config: Answer = {
  told: "Every setting in force, and where it comes from.",
  commands: ["config"],
  keys: {
    always: {
      settings: list(
        "one for each setting there is",
        record("one setting", {
          always: {
            key: oneOf("its name; a dot is one level of a settings file", meaningsOf(settings)),
            value: {
              description: "as it would be written in a settings file; null where nothing is set",
              type: ["string", "number", "boolean", "array", "object", "null"],
            },
            origin: text("where it was said: a file, an environment variable, an option of the command line, or built-in"),
          },
        }),
      ),
    },
  },
};
