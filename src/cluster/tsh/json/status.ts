import { always, answer, instant, line, list, recordOf, sometimes } from "../../../rules/shape/answer.ts";
import { truth } from "../../../rules/shape/shape.ts";
import type { Profile } from "../../session/profile.ts";
import { printHostPort } from "../../../rules/route/host-port.ts";

export type Status = {
  readonly profile: Profile;
  /** Why the cluster did not confirm the session; undefined if it did. */
  readonly notAsked: string | undefined;
};

const active = recordOf<Status>("who is signed in")({
  username: always("the user", line, ({ profile }) => profile.user),
  roles: always("theirs, as they are now where asked is true", list(line), ({ profile }) => profile.roles),
  cluster: always("the cluster's name", line, ({ profile }) => profile.cluster.name),
  cluster_id: always("made with the cluster, a UUID", line, ({ profile }) => profile.cluster.id),
  proxy: always("through which", line, ({ profile }) => printHostPort(profile.proxy)),
  connector: sometimes(
    "the connector that they signed in through; absent for a password",
    line,
    ({ profile }) => profile.connector,
  ),
  session: always("as tctl sessions ls names it", line, ({ profile }) => profile.session),
  until: always("when the session ends", instant, ({ profile }) => profile.until),
});

export const statusAnswer = answer<Status>("Who is signed in.")({
  active: always("the session in use", active, (status) => status),
  asked: always(
    "whether the cluster said so just now; false: it is what was last known",
    truth,
    ({ notAsked }) => notAsked === undefined,
  ),
  why: sometimes("where it did not: why", line, "notAsked"),
});
