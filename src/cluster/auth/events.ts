import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { AuditEventSchema, AuditService } from "../api/generated/svc/v1/audit_pb.ts";
import { Fault } from "../../rules/fault/fault.ts";
import type { AuditEvent, JsonObject } from "../storage/port.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { HandlersOf } from "./handlers.ts";
import { readPageSize } from "./page.ts";
import { timestamp } from "./timestamp.ts";

export const auditHandlers: HandlersOf<typeof AuditService> = {
  listEvents: async ({ store }, _caller, { since, until, event, actor, kind, name, pageSize, pageToken }) => {
    const most = readPageSize(pageSize);
    const found = await store.events({
      since: secondsOf(since),
      until: secondsOf(until),
      event: unlessEmpty(event),
      actor: unlessEmpty(actor),
      kind: unlessEmpty(kind),
      name: unlessEmpty(name),
      before: readToken(pageToken),
      // One more than is wanted says whether there is another page.
      most: most + 1,
    });
    const events = found.slice(0, most);
    const isMore = found.length > most;
    return { events: events.map(message), nextPageToken: isMore ? String(events.at(-1)?.number) : "" };
  },
};

function message({ number, at, before, after, ...told }: AuditEvent): MessageInitShape<typeof AuditEventSchema> {
  return { ...told, number: BigInt(number), at: timestamp(at), ...part("before", before), ...part("after", after) };
}

function part(key: "before" | "after", value: JsonObject | undefined): object {
  return value === undefined ? {} : { [key]: value };
}

function secondsOf(time: Timestamp | undefined): UnixSeconds | undefined {
  return time === undefined ? undefined : Number(time.seconds);
}

function unlessEmpty(text: string): string | undefined {
  return text === "" ? undefined : text;
}

function readToken(token: string): number | undefined {
  if (token === "") return undefined;
  if (/^\d{1,15}$/.test(token)) return Number(token);
  throw new Fault("request-refused", {
    message: "the page token is none of this list's",
    hint: "begin with the first page: leave it empty",
  });
}
