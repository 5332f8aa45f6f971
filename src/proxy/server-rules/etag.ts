/** Whether If-None-Match names this tag: by the weak comparison that RFC 9110 has for it. */
export function namesTag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}
