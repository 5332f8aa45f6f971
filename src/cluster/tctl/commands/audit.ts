import type { AuditEventJson } from "../../api/generated/svc/v1/audit_pb.ts";
import { quote } from "../../../rules/text/quote.ts";
import { shellWord } from "../../../rules/text/shell-word.ts";
import { maintenanceName } from "../../resource/maintenance.ts";
import { printInstant } from "../../../rules/window/instant.ts";
import { askedCount, askedSince } from "../asked-time.ts";
import type { Given } from "../../../machine/command-line/row.ts";
import type { TctlContext } from "../context.ts";
import { auditAnswer, type Events } from "../json/audit.ts";
import { say } from "../screen/say.ts";
import { table } from "../../../rules/text/table.ts";
import { tellShort } from "../../../machine/clocks/tell-time.ts";

const mostEvents = 10_000;
const usualEvents = "100";

export async function listEvents(context: TctlContext, given: Given): Promise<number> {
  const most = askedCount(given.text("limit") ?? usualEvents, { flag: "--limit", most: mostEvents });
  const since = given.text("since");
  const filter = {
    event: given.text("event") ?? "",
    actor: given.text("actor") ?? "",
    kind: given.text("kind") ?? "",
    name: given.text("name") ?? "",
    ...(since === undefined ? {} : { since: printInstant(askedSince(since, context.now())) }),
  };
  const found: AuditEventJson[] = [];
  let pageToken = "";
  do {
    const pageSize = Math.min(500, most - found.length);
    const page = await context.call("AuditService/ListEvents", { ...filter, pageSize, pageToken });
    found.push(...(page.events ?? []));
    pageToken = page.nextPageToken ?? "";
  } while (pageToken !== "" && found.length < most);
  const value = { events: found.slice(0, most).toReversed(), more: pageToken !== "" };
  return say(context, { shape: auditAnswer, value, text: () => screen(value, { most, given }) });
}

type Asked = { readonly most: number; readonly given: Given };

function screen({ events, more }: Events, { most, given }: Asked): string {
  if (events.length === 0) {
    const whole = given.text("event") === undefined ? "" : " (an event is named in full, for example --event=user.created)";
    return `nothing of that was done${whole}: \`tctl audit ls\` shows everything\n`;
  }
  const lines = table(
    ["When", "Who", "Did", "To"],
    // Leaves out the kind, which the event has, and an empty name: the only resource of a kind has none.
    events.map(({ at = "", event = "", actor = "", name = "" }) => [
      tellShort(at),
      actor,
      event,
      name === maintenanceName ? "" : name,
    ]),
  ).split("\n");
  const [head = "", rule = "", ...told] = lines;
  const rows = events.flatMap(({ detail = "" }, index) => [
    told[index] ?? "",
    ...(detail === "" ? [] : [`  ${quote(detail, 500)}`]),
  ]);
  const left = more
    ? `older ones are left out: \`tctl audit ls ${filtersIn(given)}--limit=${Math.min(most * 10, mostEvents)}\`\n`
    : "";
  return `${[head, rule, ...rows].join("\n")}\n${left}`;
}

function filtersIn(given: Given): string {
  const filters = ["since", "event", "actor", "kind", "name"].map((name) => {
    const typed = given.text(name);
    return typed === undefined ? "" : `--${name}=${shellWord(typed)} `;
  });
  return filters.join("");
}
