import { parseCalendar, type Calendar } from "./calendar.ts";
import { parseTimeSpan } from "./time-span.ts";

/** What a timer unit says, as far as it decides when the timer fires. */
export type Timer = {
  readonly calendar: Calendar;
  readonly randomDelaySeconds: number;
  readonly accuracySeconds: number;
  /** What was missed while the host was off is made up for. */
  readonly isPersistent: boolean;
  /** A host has one delay for ever, in place of another at every turn. */
  readonly hasFixedDelay: boolean;
};

type Keys = { calendar: string[]; delay: string; accuracy: string; persistent: string; fixed: string };

/** Reads the [Timer] section. A key that would change when the timer fires, and is not understood here, is refused. */
export function parseTimerUnit(text: string): Timer {
  // What systemd.timer(5) gives as the defaults.
  const keys: Keys = { calendar: [], delay: "0", accuracy: "1min", persistent: "no", fixed: "no" };
  let section = "";
  for (const raw of text.split("\n")) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#") || line.startsWith(";")) continue;
    if (line.startsWith("[")) section = line;
    else if (section === "[Timer]") assign(keys, line);
  }
  return {
    calendar: parseCalendar(keys.calendar),
    randomDelaySeconds: parseTimeSpan(keys.delay),
    accuracySeconds: parseTimeSpan(keys.accuracy),
    isPersistent: parseTruth(keys.persistent),
    hasFixedDelay: parseTruth(keys.fixed),
  };
}

function assign(keys: Keys, line: string): void {
  const equals = line.indexOf("=");
  const [key, value] = [line.slice(0, equals).trim(), line.slice(equals + 1).trim()];
  switch (key) {
    case "OnCalendar":
      // An empty one takes back all before it.
      keys.calendar = value === "" ? [] : [...keys.calendar, value];
      return;
    case "RandomizedDelaySec":
      keys.delay = value;
      return;
    case "AccuracySec":
      keys.accuracy = value;
      return;
    case "Persistent":
      keys.persistent = value;
      return;
    case "FixedRandomDelay":
      keys.fixed = value;
      return;
    case "Unit":
    case "WakeSystem":
      return;
    default:
      throw new Error(`"${line}" in a timer unit is not understood here`);
  }
}

function parseTruth(text: string): boolean {
  if (/^(1|y|yes|t|true|on)$/i.test(text)) return true;
  if (/^(0|n|no|f|false|off)$/i.test(text)) return false;
  throw new Error(`"${text}" is neither yes nor no`);
}
