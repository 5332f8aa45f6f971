import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { parseInstant } from "../../rules/window/instant.ts";
import { parseSpoken } from "../../rules/window/typed-time.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

/** Reads a length of time, such as `1h` or `2d12h`. */
export function askedSeconds(text: string, flag: string): number {
  const spoken = parseSpoken(text);
  if (spoken?.kind === "after" && spoken.seconds > 0 && !text.startsWith("+")) return spoken.seconds;
  throw new Fault("usage", {
    message: `${flag} "${quote(text)}" is no length of time`,
    hint: `for example ${flag}=30m, ${flag}=12h, ${flag}=2d`,
  });
}

/** Reads a length of time, which means that long ago, or an instant. */
export function askedSince(text: string, now: UnixSeconds): UnixSeconds {
  const spoken = parseSpoken(text);
  if (spoken?.kind === "after") return now - spoken.seconds;
  const instant = spoken?.kind === "instant" ? spoken.instant : parseInstant(text);
  if (instant !== undefined) return instant;
  throw new Fault("usage", {
    message: `--since "${quote(text)}" is no time`,
    hint: "for example --since=2h, --since=2026-12-01, --since=2026-12-01T08:00:00Z",
  });
}

export function askedCount(text: string, { flag, most }: { readonly flag: string; readonly most: number }): number {
  const count = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : Number.NaN;
  if (count <= most) return count;
  throw new Fault("usage", {
    message: `${flag} "${quote(text)}" is no number from 1 to ${most}`,
    hint: `for example ${flag}=20`,
  });
}
