// A second, plain statement of what a version is, after the page of semantic versioning and the manuals of deb and rpm.

const number = String.raw`(?:0|[1-9][0-9]*)`;
const identifier = String.raw`(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)`;
const build = String.raw`[0-9A-Za-z-]+`;
const pattern = new RegExp(
  String.raw`^(${number})\.(${number})\.(${number})(?:-${identifier}(?:\.${identifier})*)?(\+${build}(?:\.${build})*)?$`,
);

/** The version without its one v. */
export function naiveVersion(text: string): string | undefined {
  if (text.length > 128) return undefined;
  const bare = text[0] === "v" ? text.slice(1) : text;
  const match = pattern.exec(bare);
  if (match === null || bare.includes("\n")) return undefined;
  // What a number of ours cannot hold exactly is no number.
  const isExact = [match[1], match[2], match[3]].every((part) => BigInt(part!) <= 9007199254740991n);
  return isExact ? bare : undefined;
}

export function naivePackageVersion(text: string): string | undefined {
  if (text === "" || text.length > 256 || !isIn(text[0]!, "0123456789")) return undefined;
  for (const sign of text) if (!isIn(sign, allowedSigns)) return undefined;
  return text;
}

const allowedSigns = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.+:~^_-";

function isIn(sign: string, signs: string): boolean {
  return sign.length === 1 && signs.includes(sign);
}

const prereleases = ["alpha", "beta", "dev", "nightly", "pre", "preview", "rc", "snapshot"];

/** Whether one of the words made of letters is the name of a prerelease. */
function namesPrerelease(text: string): boolean {
  return text
    .toLowerCase()
    .split(/[^a-z]+/)
    .some((word) => prereleases.includes(word));
}

export function naiveWrapped(packageVersion: string): string | undefined {
  const parts = packageVersion.split(":");
  let upstream = parts.length > 1 && /^[0-9]+$/.test(parts[0]!) ? parts.slice(1).join(":") : packageVersion;
  const hyphen = upstream.lastIndexOf("-");
  if (hyphen >= 0) {
    const revision = upstream.slice(hyphen + 1);
    const first = revision.startsWith("lp") ? revision[2] : revision[0];
    if (first !== undefined && first >= "0" && first <= "9" && !namesPrerelease(revision)) upstream = upstream.slice(0, hyphen);
  }
  const really = upstream.lastIndexOf("+really");
  const meant = really < 0 ? upstream : upstream.slice(really + "+really".length);
  const signs = Array.from(meant);
  const mark = signs.findIndex((sign) => sign === "~" || sign === "_");
  if (mark >= 0) signs[mark] = "-";
  const version = naiveVersion(signs.join(""));
  const plus = version?.indexOf("+") ?? -1;
  return version === undefined || (plus >= 0 && namesPrerelease(version.slice(plus))) ? undefined : version;
}

export function naiveSpoken(output: string): string | undefined {
  let heard = output;
  if (output.length > 4096) {
    // The last word may have been cut.
    let end = 4096;
    while (end > 0 && !isSpace(output[end - 1]!)) end -= 1;
    heard = output.slice(0, end);
  }
  let word = "";
  for (const sign of [...heard.split(""), " "]) {
    if (!isSpace(sign) && !",;()".includes(sign)) {
      word += sign;
      continue;
    }
    const version = naiveVersion(word);
    if (version !== undefined) return version;
    word = "";
  }
  return undefined;
}

/** ECMAScript's white space, sign by sign. */
const spaces =
  "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff";

export function isSpace(sign: string): boolean {
  return sign !== "" && spaces.includes(sign);
}

export function trimmed(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isSpace(text[from]!)) from += 1;
  while (to > from && isSpace(text[to - 1]!)) to -= 1;
  return text.slice(from, to);
}
