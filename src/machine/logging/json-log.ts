import { reaches, type Log, type LogLevel, type WriteLine } from "./log.ts";
import { mask } from "./mask-secrets.ts";

/** Writes one JSON object per line, with level, time, msg and the fields. The destination is synchronous, because a worker would lose the last lines. */
export async function openJsonLog(threshold: LogLevel, write: WriteLine): Promise<Log> {
  const { pino, stdTimeFunctions } = await import("pino");
  const logger = pino(
    {
      base: null,
      customLevels: pinoLevels,
      useOnlyCustomLevels: true,
      level: "debug",
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write },
  );
  return (level, sentence, fields = {}) => {
    if (!reaches(level, threshold)) return;
    const masked = Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, typeof value === "string" ? mask(value) : value]);
    logger[level](Object.fromEntries(masked), mask(sentence));
  };
}

/** pino counts upwards and needs a number for each name. */
const pinoLevels: Record<LogLevel, number> = { debug: 20, info: 30, notice: 35, warning: 40, error: 50 };
