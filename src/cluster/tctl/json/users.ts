import type { Mapping } from "../../../rules/shape/reading.ts";
import { always, answer, line, list, recordOf } from "../../../rules/shape/answer.ts";
import { rolesOf, textAt } from "../resources.ts";

const user = recordOf<Mapping>("a person and their roles")({
  name: always("how they sign in", line, (found) => textAt(found, "metadata", "name")),
  roles: always("what they may do", list(line), rolesOf),
  revision: always("of what was read", line, (found) => textAt(found, "metadata", "revision")),
});

export const usersAnswer = answer<readonly Mapping[]>("Every local user.")({
  users: always("by name", list(user), (found: readonly Mapping[]) => found),
});
