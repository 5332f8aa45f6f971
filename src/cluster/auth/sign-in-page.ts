/** A page of the sign-in for a browser. The proxy adds the headers that forbid scripts. */
export type Told = { readonly title: string; readonly lines: readonly string[]; readonly code?: string };

const style =
  "body{font:1.1rem/1.6 system-ui,sans-serif;max-width:36rem;margin:12vh auto;padding:0 1.5rem;color:#1b1f24;background:#fff}h1{font-size:1.4rem}output{display:block;font:700 2.2rem/1.2 ui-monospace,monospace;letter-spacing:.08em;margin:1.5rem 0}@media(prefers-color-scheme:dark){body{color:#e6e8eb;background:#14171a}}";

export function signInPage({ title, lines, code }: Told): string {
  const shown = code === undefined ? "" : `<output>${escaped(code)}</output>\n`;
  const told = lines.map((line) => `<p>${escaped(line)}</p>`).join("\n");
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(title)}</title><style>${style}</style></head>
<body>
<h1>${escaped(title)}</h1>
${shown}${told}
</body>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
