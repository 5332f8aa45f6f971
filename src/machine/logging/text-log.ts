import { quote } from "../../rules/text/quote.ts";
import { priorities, reaches, type Log, type LogFields, type LogLevel, type WriteLine } from "./log.ts";
import { mask } from "./mask-secrets.ts";

/** A longer value would help no reader. */
const longestValue = 2000;

export type TextLog = {
  readonly threshold: LogLevel;
  /** `journal`: the line starts with its priority, which the journal removes. */
  readonly reader: "journal" | "person";
};

/** Writes lines for people: the sentence, then `key=value`, quoted if needed. */
export function textLog({ threshold, reader }: TextLog, write: WriteLine): Log {
  return (level, sentence, fields = {}) => {
    if (!reaches(level, threshold)) return;
    const prefix = reader === "journal" ? `<${priorities[level]}>` : "";
    write(`${prefix}${mask(quote(sentence, longestValue))}${printFields(fields)}\n`);
  };
}

function printFields(fields: LogFields): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}=${printValue(mask(String(value)))}`)
    .join("");
}

/** Prints a value as logfmt does: bare if no character could end it, else as a JSON string. */
function printValue(value: string): string {
  const line = quote(value, longestValue);
  return line === "" || /[\s"=\\]/.test(line) ? JSON.stringify(line) : line;
}
