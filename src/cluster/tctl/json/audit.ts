import type { AuditEventJson } from "../../api/generated/svc/v1/audit_pb.ts";
import { always, answer, anything, line, list, recordOf, sometimes } from "../../../rules/shape/answer.ts";
import { truth } from "../../../rules/shape/shape.ts";

const detail = anything<object>({ type: "object" });

const event = recordOf<AuditEventJson>("one thing that was done")({
  number: always("rises by one", line, ({ number }) => number ?? ""),
  at: always("when, by auth's clock", line, ({ at }) => at ?? ""),
  event: always("what, for example role.updated", line, (found) => found.event ?? ""),
  actor: always("by whom", line, ({ actor }) => actor ?? ""),
  origin: always("from where: socket, or an address", line, ({ origin }) => origin ?? ""),
  kind: sometimes("of what it was done to", line, "kind"),
  name: sometimes("of what it was done to", line, "name"),
  before: sometimes("of a change, without secrets", detail, "before"),
  after: sometimes("of a change, without secrets", detail, "after"),
  detail: sometimes("in words", line, "detail"),
});

export type Events = { readonly events: readonly AuditEventJson[]; readonly more: boolean };

export const auditAnswer = answer<Events>("Who changed what.")({
  events: always("the newest last", list(event), "events"),
  more: always("whether there are older ones", truth, "more"),
});
