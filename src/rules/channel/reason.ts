/**
 * Why a server refuses, in its own words: a plain text of one line, or the message of a JSON object. Of a page nothing is told: what
 * stands in it may be meant for somebody who has signed in there. It is as a stranger wrote it, secrets and all.
 */
export function reasonIn(body: Uint8Array, contentType: string | undefined): string | undefined {
  const text = decode(body)?.trim();
  const type = contentType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (text === undefined || text === "") return undefined;
  const said = type === "text/plain" ? text : isJson.test(type) ? messageIn(text) : undefined;
  return said === undefined || said === "" || said.startsWith("<") || /[\r\n]/.test(said) ? undefined : said;
}

const isJson = /^application\/(?:[a-z0-9.-]+\+)?json$/;

/** `message`, or as svc-proxy and others have it, that of `fault` or `error`. */
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

function decode(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}
