import type { AuditEventJson } from "../../api/generated/svc/v1/audit_pb.ts";
import { always, answer, line, list, record, sometimes, truth, type Shown } from "../../../rules/shape/json-answer.ts";

const anything: Shown<object, unknown> = { write: (value) => value, schema: () => ({ type: "object" }) };

const event = record<AuditEventJson>("one thing that was done")({
  number: always("rises by one", line, ({ number }) => number ?? ""),
  at: always("when, by auth's clock", line, ({ at }) => at ?? ""),
  event: always("what, for example role.updated", line, (found) => found.event ?? ""),
  actor: always("by whom", line, ({ actor }) => actor ?? ""),
  origin: always("from where: socket, or an address", line, ({ origin }) => origin ?? ""),
  kind: sometimes("of what it was done to", line, "kind"),
  name: sometimes("of what it was done to", line, "name"),
  before: sometimes("of a change, without secrets", anything, "before"),
  after: sometimes("of a change, without secrets", anything, "after"),
  detail: sometimes("in words", line, "detail"),
});

export type Events = { readonly events: readonly AuditEventJson[]; readonly more: boolean };

export const auditAnswer = answer<Events>("Who changed what.")({
  events: always("the newest last", list(event), "events"),
  more: always("whether there are older ones", truth, "more"),
});
