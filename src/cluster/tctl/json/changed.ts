import type { ChangedJson } from "../../api/generated/svc/v1/resource_pb.ts";
import { always, answer, line, list, recordOf } from "../../../rules/shape/answer.ts";
import { type Shape, words } from "../../../rules/shape/shape.ts";

const outcomes = {
  created: "it was not there before",
  updated: "it was there and is another now",
  unchanged: "it is as it was",
  deleted: "it is gone",
};

export const changed: Shape<ChangedJson> = recordOf<ChangedJson>("what came of a change")({
  kind: always("the resource's kind", line, ({ kind }) => kind ?? ""),
  name: always("its name", line, ({ name }) => name ?? ""),
  revision: always("of what is there now", line, ({ revision }) => revision ?? ""),
  outcome: always("what became of it", words<string>(outcomes), ({ outcome }) => outcome ?? ""),
  remarks: always("what its author should know besides", list(line), ({ remarks }) => remarks ?? []),
  next_openings: always("of a maintenance window, the next ones", list(line), ({ nextOpenings }) => nextOpenings ?? []),
});

export const changesAnswer = answer<readonly ChangedJson[]>("What was changed, in the order of the file.")({
  changed: always("one for each resource", list(changed), (found: readonly ChangedJson[]) => found),
});
