export const defaultConfig = "/etc/svc.yaml";

/** Which file a command line of ours names. */
export function configIn(words: readonly string[]): string {
  const at = words.indexOf("--config");
  const joined = words.find((word) => word.startsWith("--config="))?.slice("--config=".length);
  return (at === -1 ? joined : words[at + 1]) ?? defaultConfig;
}

/** What a unit runs in place of what it starts to be checked. */
export const inUnit = "check-in-unit";
