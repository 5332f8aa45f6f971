import { withoutSecret } from "../../rules/fault/tell-fault.ts";
import { shellWord } from "../../rules/text/shell-word.ts";

const usual = "/etc/svc.yaml";

type Typed = { readonly program: string; readonly config: string | undefined };

/** Adds the typed configuration to a hint for the same program. Another program may belong on another host. */
export function hintFor(hint: string, { program, config }: Typed): string {
  if (config === undefined || config === usual) return hint;
  return hint.replaceAll(/`(?:sudo )?[a-z]+ [^`]*`/g, (typed) => {
    const [, before = "", name, words = ""] = /^(`(?:sudo )?)([a-z]+) (.*)$/.exec(typed) ?? [];
    const isNamed = / ?(?:-c|--config) /.test(words);
    return name !== program || isNamed ? typed : `${before}${name} -c ${withoutSecret(shellWord(config))} ${words}`;
  });
}
