import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";

/** Reads `env=canary,site=b`. Auth checks the words. */
export function askedLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const part of text.split(",")) {
    const [, name, value] = /^\s*([^=\s]+)=(.*)$/s.exec(part) ?? [];
    if (name === undefined || value === undefined || name === "__proto__")
      throw wrong(`"${quote(part)}" is no label of the form NAME=VALUE`);
    if (Object.hasOwn(labels, name)) throw wrong(`"${quote(name)}" stands twice among the labels`);
    labels[name] = value.trim();
  }
  return labels;
}

export function printLabels(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${quote(name)}=${quote(value)}`)
    .join(",");
}

function wrong(message: string): Fault {
  return new Fault("usage", { message, hint: "for example env=canary,site=b" });
}
