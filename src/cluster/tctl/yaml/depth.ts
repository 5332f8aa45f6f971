/** The depth of nesting, by brackets and by dashes and blanks at the start of lines. Runs before the library, which recurses. */
export function depthOf(text: string): number {
  let most = 0;
  let open = 0;
  for (const character of text) {
    if (character === "[" || character === "{") open += 1;
    else if (character === "]" || character === "}") open = Math.max(0, open - 1);
    most = Math.max(most, open);
  }
  for (const line of text.split("\n")) most = Math.max(most, /^(?:[ -]|\? |: )*/.exec(line)?.[0].replaceAll(" ", "").length ?? 0);
  const indents: number[] = [];
  for (const line of text.split("\n")) {
    const indent = line.search(/[^ ]/);
    if (indent < 0) continue;
    while ((indents.at(-1) ?? -1) >= indent) indents.pop();
    indents.push(indent);
    most = Math.max(most, indents.length);
  }
  return most;
}
