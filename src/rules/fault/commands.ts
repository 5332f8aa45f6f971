/**
 * Returns the commands in a hint, in order. Names, files and settings (`key: value`, `KEY=value`) have backquotes too, but only a command has
 * arguments, and no colon or equals sign in its first word.
 */
export function commandsIn(hint: string): readonly string[] {
  return hint.split("`").filter((part, index) => index % 2 === 1 && isCommand.test(part));
}

const isCommand = /^[^\s:=]+ \S/;
