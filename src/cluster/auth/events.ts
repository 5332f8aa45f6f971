import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { AuditEventSchema, AuditService } from "../api/generated/svc/v1/audit_pb.ts";
import type { AuditEvent, JsonObject } from "../storage/port.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { HandlersOf } from "./handlers.ts";
import { pageOf, readPageSize, refuseToken } from "./page.ts";
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
      most: most + 1,
    });
    const { page, nextPageToken } = await pageOf(found, most, ({ number }) => String(number));
    return { events: page.map(message), nextPageToken };
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
  throw refuseToken();
}
