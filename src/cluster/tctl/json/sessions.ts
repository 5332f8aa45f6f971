import type { SessionJson } from "../../api/generated/svc/v1/session_pb.ts";
import { always, answer, line, list, recordOf, sometimes } from "../../../rules/shape/answer.ts";
import { count } from "../../../rules/shape/shape.ts";

const session = recordOf<SessionJson>("somebody who is signed in")({
  name: always("the beginning of its token's digest: good for nothing but to end it", line, ({ name }) => name ?? ""),
  user: always("who", line, (found) => found.user ?? ""),
  roles: always("theirs, as they are now", list(line), ({ roles }) => roles ?? []),
  began: always("when", line, (found) => found.began ?? ""),
  until: always("when it ends by itself", line, (found) => found.until ?? ""),
  address: always("where it began", line, (found) => found.address ?? ""),
  client: always("by which program", line, (found) => found.client ?? ""),
  connector: sometimes("KIND/NAME of the connector that it began through; absent for a password", line, ({ connector = "" }) =>
    connector === "" ? undefined : connector,
  ),
});

export const sessionsAnswer = answer<readonly SessionJson[]>("Who is signed in.")({
  sessions: always("one each", list(session), (found: readonly SessionJson[]) => found),
});

export const removedSessionsAnswer = answer<number>("Sessions that were ended.")({
  removed: always("how many", count, (found: number) => found),
});
