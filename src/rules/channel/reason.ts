import { utf8In } from "./utf8.ts";

/**
 * The server's own reason for a refusal: one line of plain text, or the message of a JSON object. Shows no page, which may be meant for a signed-in
 * user. The text comes from outside and may contain secrets.
 */
export function reasonIn(body: Uint8Array, contentType: string | undefined): string | undefined {
  const text = utf8In(body)?.trim();
  const type = contentType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (text === undefined || text === "") return undefined;
  const said = type === "text/plain" ? text : isJson.test(type) ? messageIn(text) : undefined;
  return said === undefined || said === "" || said.startsWith("<") || /[\r\n]/.test(said) ? undefined : said;
}

const isJson = /^application\/(?:[a-z0-9.-]+\+)?json$/;

/** The text in `message`, or as some servers write it, the message in `fault` or `error`. */
function messageIn(text: string): string | undefined {
  const said = parse(text);
  const [own, within] = [said, field(said, "fault") ?? field(said, "error")].map((one) =>
    typeof one === "string" ? one : field(one, "message"),
  );
  return [own, within].find((one): one is string => typeof one === "string")?.trim();
}

function field(of: unknown, key: string): unknown {
  return typeof of === "object" && of !== null ? (of as Readonly<Record<string, unknown>>)[key] : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
