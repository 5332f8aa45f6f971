export const defaultConfig = "/etc/svc.yaml";

/** The configuration file that a command line of ours names. */
export function configIn(words: readonly string[]): string {
  const at = words.indexOf("--config");
  const joined = words.find((word) => word.startsWith("--config="))?.slice("--config=".length);
  return (at === -1 ? joined : words[at + 1]) ?? defaultConfig;
}

/** The command that the check's transient unit runs in place of the service's own. */
export const inUnit = "check-in-unit";
