export type LogLevel = "debug" | "info" | "notice" | "warning" | "error";
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** One line: a sentence, then the data. Undefined fields are left out. */
export type Log = (level: LogLevel, sentence: string, fields?: LogFields) => void;
