export const logLevels = ["debug", "info", "notice", "warning", "error"] as const;
export type LogLevel = (typeof logLevels)[number];
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Writes one line: a sentence, then the data. Undefined fields are left out. */
export type Log = (level: LogLevel, sentence: string, fields?: LogFields) => void;

/** Takes whole lines, each with its newline. */
export type WriteLine = (line: string) => void;

/** syslog's priorities. A smaller number is more serious. */
export const priorities: Readonly<Record<LogLevel, number>> = { error: 3, warning: 4, notice: 5, info: 6, debug: 7 };

export function reaches(level: LogLevel, threshold: LogLevel): boolean {
  return priorities[level] <= priorities[threshold];
}
