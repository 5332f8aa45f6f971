import { shellWord } from "../../rules/text/shell-word.ts";

const usual = "/etc/svc.yaml";

type Typed = { readonly program: string; readonly config: string | undefined };

/**
 * What is to be typed next is for the same cluster: by the configuration that was named, where it is not the usual one. Another program
 * may be meant on another host.
 */
export function hintFor(hint: string, { program, config }: Typed): string {
  if (config === undefined || config === usual) return hint;
  return hint.replaceAll(/`(?:sudo )?[a-z]+ [^`]*`/g, (typed) => {
    const [, before = "", name, words = ""] = /^(`(?:sudo )?)([a-z]+) (.*)$/.exec(typed) ?? [];
    const isNamed = / ?(?:-c|--config) /.test(words);
    return name !== program || isNamed ? typed : `${before}${name} -c ${shellWord(config)} ${words}`;
  });
}
