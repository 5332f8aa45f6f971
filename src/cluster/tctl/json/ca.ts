import type { RotateAuthorityResponseJson, UnseenByJson } from "../../api/generated/svc/v1/cluster_pb.ts";
import { always, answer, line, list, recordOf } from "../../../rules/shape/answer.ts";
import { count } from "../../../rules/shape/shape.ts";

const unseenBy = recordOf<UnseenByJson>("an instance that has not seen the newer authority")({
  id: always("a UUID", line, ({ id }) => id ?? ""),
  hostname: always("as it said itself", line, ({ hostname }) => hostname ?? ""),
  kind: always("node or proxy", line, ({ kind }) => kind ?? ""),
});

export const rotationAnswer = answer<RotateAuthorityResponseJson>("What came of a step.")({
  step: always("begun: both are trusted; finished: the newer alone is", line, ({ step }) => step ?? ""),
  ca_pins: always("of each authority that is trusted now, the newest last", list(line), ({ caPins }) => caPins ?? []),
  unseen: always("how many have not seen the newer one", count, (found) => found.unseen ?? 0),
  unseen_by: always("the first hundred of them", list(unseenBy), (found) => found.unseenBy ?? []),
});
