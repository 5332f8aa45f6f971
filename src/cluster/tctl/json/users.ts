import type { Mapping } from "../../../rules/shape/reading.ts";
import { always, answer, line, list, recordOf, sometimes } from "../../../rules/shape/answer.ts";
import { rolesOf, textAt } from "../resources.ts";

/** A user in the list. Local users have a resource; those of a connector exist as long as they are signed in. */
export type ListedUser = {
  readonly name: string;
  readonly roles: readonly string[];
  readonly revision: string;
  /** KIND/NAME; undefined for a local user. */
  readonly connector: string | undefined;
};

export function localUser(found: Mapping): ListedUser {
  const revision = textAt(found, "metadata", "revision");
  return { name: textAt(found, "metadata", "name"), roles: rolesOf(found), revision, connector: undefined };
}

const user = recordOf<ListedUser>("a person and their roles")({
  name: always("how they sign in", line, ({ name }) => name),
  roles: always("what they may do", list(line), ({ roles }) => roles),
  revision: always("of what was read; empty for a connector's", line, ({ revision }) => revision),
  connector: sometimes("KIND/NAME of the connector that they are signed in through; absent for a local user", line, "connector"),
});

export const usersAnswer = answer<readonly ListedUser[]>("Every local user, and everybody who is signed in through a connector.")(
  {
    users: always("local ones by name, then the others", list(user), (found: readonly ListedUser[]) => found),
  },
);
