/** What systemd's parser does with an environment file since 254, sign by sign, as its own states have it. */
export function naiveEnvironmentFile(text: string): Readonly<Record<string, string>> {
  if (text.includes("\0")) return {};
  const found: (readonly [string, string])[] = [];
  let state = "before-name";
  let name = "";
  let value = "";
  /** How much of the value stands whatever white space follows. */
  let kept = 0;
  const push = (): void => {
    found.push([trimEnd(name), state === "value" ? value.slice(0, Math.max(kept, trimEnd(value).length)) : value]);
  };
  for (const sign of text.split("")) {
    const isLineEnd = sign === "\n" || sign === "\r";
    const isWhite = isLineEnd || sign === " " || sign === "\t";
    switch (state) {
      case "before-name":
        if (sign === "#" || sign === ";") state = "comment";
        else if (!isWhite) [state, name, value, kept] = ["name", sign, "", 0];
        break;
      case "comment":
        if (isLineEnd) state = "before-name";
        break;
      case "name":
        if (isLineEnd) state = "before-name";
        else if (sign === "=") state = "before-value";
        else name += sign;
        break;
      case "before-value":
        if (isLineEnd) {
          push();
          state = "before-name";
        } else if (sign === "'") state = "single";
        else if (sign === '"') state = "double";
        else if (sign === "\\") state = "escape";
        else if (!isWhite) [state, value, kept] = ["value", value + sign, value.length + 1];
        break;
      case "value":
        if (isLineEnd) {
          push();
          state = "before-name";
        } else if (sign === "\\") [state, kept] = ["escape", value.length];
        else value += sign;
        break;
      case "escape":
        if (!isLineEnd) value += sign;
        [state, kept] = ["value", value.length];
        break;
      case "single":
        if (sign === "'") state = "before-value";
        else value += sign;
        break;
      case "double":
        if (sign === '"') state = "before-value";
        else if (sign === "\\") state = "double-escape";
        else value += sign;
        break;
      default:
        if ('"\\`$'.includes(sign)) value += sign;
        else if (sign !== "\n") value += `\\${sign}`;
        state = "double";
    }
  }
  if (!["before-name", "comment", "name"].includes(state)) push();
  if (found.some((pair) => pair.some(isSpoiled))) return {};
  const isName = ([first]: readonly [string, string]): boolean => /^[a-z_][a-z0-9_]*$/i.test(first);
  return Object.fromEntries(found.filter(isName));
}

function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && " \t\n\r".includes(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}

/** What decoding left of bytes that were no UTF-8, and the code points that are none. */
function isSpoiled(text: string): boolean {
  return Array.from(text).some((sign) => {
    const code = sign.codePointAt(0)!;
    return code === 0xfffd || (code >= 0xfdd0 && code <= 0xfdef) || (code & 0xfffe) === 0xfffe;
  });
}
