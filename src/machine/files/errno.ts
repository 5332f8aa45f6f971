import { getSystemErrorMessage } from "node:util";

/** The short name of a system error, such as `ENOSPC`; undefined for anything else. */
export function errnoOf(thrown: unknown): string | undefined {
  return isSystemError(thrown) ? thrown.code : undefined;
}

/** Whether another user might be allowed to do it. */
export function isDenied(thrown: unknown): boolean {
  const errno = errnoOf(thrown);
  return errno === "EACCES" || errno === "EPERM";
}

/** A system error in the system's words, with its short name: `no space left on device (ENOSPC)`. */
export function errnoWords(thrown: unknown): string {
  if (!isSystemError(thrown)) return String(thrown);
  // Only rmSync gives a positive number.
  const words = typeof thrown.errno === "number" ? getSystemErrorMessage(-Math.abs(thrown.errno)) : thrown.message;
  return `${words} (${thrown.code})`;
}

function isSystemError(thrown: unknown): thrown is NodeJS.ErrnoException & { readonly code: string } {
  return thrown instanceof Error && "code" in thrown && typeof thrown.code === "string";
}
