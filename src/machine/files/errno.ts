import { getSystemErrorMessage } from "node:util";

/** The short name of a system error, `ENOSPC`; undefined where something else was thrown. */
export function errnoOf(thrown: unknown): string | undefined {
  return isSystemError(thrown) ? thrown.code : undefined;
}

/** Whether another user may do it. */
export function isDenied(thrown: unknown): boolean {
  const errno = errnoOf(thrown);
  return errno === "EACCES" || errno === "EPERM";
}

/** A system error in the system's words, with its short name: `no space left on device (ENOSPC)`. */
export function errnoWords(thrown: unknown): string {
  if (!isSystemError(thrown)) return String(thrown);
  // Only rmSync gives the number as a positive one.
  const words = typeof thrown.errno === "number" ? getSystemErrorMessage(-Math.abs(thrown.errno)) : thrown.message;
  return `${words} (${thrown.code})`;
}

function isSystemError(thrown: unknown): thrown is NodeJS.ErrnoException & { readonly code: string } {
  return thrown instanceof Error && "code" in thrown && typeof thrown.code === "string";
}
