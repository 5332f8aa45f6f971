import { parseChannelName, type ChannelName } from "../channel/path.ts";
import { quote } from "../text/quote.ts";
import { readEndpoint } from "./endpoint.ts";
import { refusedAs, type SettingReading } from "../shape/reading.ts";
import type { Endpoint } from "./settings.ts";

/** Reads the base URL of a version server. It must have no question at its end, because the question is added to it. */
export function readBaseUrl(raw: unknown): SettingReading<Endpoint> {
  const reading = readEndpoint(raw);
  const known = reading.kind === "value" ? knownIn(reading.value) : undefined;
  if (reading.kind === "refused" || known === undefined) return reading;
  const { base, channel, is } = known;
  const named = channel === undefined ? "" : `, and \`channel\`: ${channel}`;
  return refusedAs([{ at: "", found: found(reading.value, is), allowed: `the base URL alone, here ${base}${named}` }]);
}

/** The URL of a channel, to which the question is added. */
export function readChannelUrl(raw: unknown): SettingReading<Endpoint> {
  const reading = readEndpoint(raw);
  if (reading.kind === "refused") return reading;
  const url = reading.value;
  const known = knownIn(url);
  if (known?.is === ofPing) {
    return refusedAs([
      { at: "", found: found(url, ofPing), allowed: `the URL of a channel, here perhaps ${known.base}${channelPath}default` },
    ]);
  }
  const [question] = questionAtEnd.exec(url) ?? [];
  // The last word may be a channel's name and no question.
  if (question === undefined || url.endsWith(`${channelPath}${question.slice(1)}`)) return reading;
  const allowed = `the same without that, ${url.slice(0, -question.length)}: both questions are added to it`;
  return refusedAs([{ at: "", found: `"${quote(url, longestShown)}", which ends in ${question}`, allowed }]);
}

const longestShown = 200;
const questionAtEnd = /\/(?:version|critical)$/;
const channelPath = "/v1/webapi/automaticupgrades/channel/";

const ofPing = "the whole address of ping";
const ofChannel = "the whole address of a channel";

/** What is known of an address of ours: the server, and the channel. Undefined if the address may be any base URL. */
type Known = { readonly base: string; readonly channel?: ChannelName | undefined; readonly is: typeof ofPing | typeof ofChannel };

function knownIn(url: Endpoint): Known | undefined {
  const at = url.indexOf(webapi);
  const base = url.slice(0, at).replace(/\/v1$/, "");
  const path = url.slice(at + webapi.length);
  if (at === -1) return undefined;
  if (path === "ping") return { base, is: ofPing };
  if (!/^automaticupgrades(?:\/|$)/.test(path)) return undefined;
  const [, , ...words] = path.split("/");
  const name = words.length > 1 && questionAtEnd.test(path) ? words.slice(0, -1) : words;
  return { base, channel: parseChannelName(name.join("/")), is: ofChannel };
}

const webapi = "/webapi/";

function found(url: Endpoint, is: Known["is"]): string {
  return `"${quote(url, longestShown)}", which is ${is}`;
}
