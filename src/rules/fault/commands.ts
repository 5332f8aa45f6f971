/**
 * The commands that a hint names, in their order. A hint puts what is typed between backquotes, each command by itself; what else stands
 * there is a name, a file or a setting (`key: value`, `KEY=value`): a command has arguments, and its first word neither ends in a colon
 * nor sets anything.
 */
export function commandsIn(hint: string): readonly string[] {
  return hint.split("`").filter((part, index) => index % 2 === 1 && isCommand.test(part));
}

const isCommand = /^[^\s:=]+ \S/;
