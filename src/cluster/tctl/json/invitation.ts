import type { ChangedJson } from "../../api/generated/svc/v1/resource_pb.ts";
import { always, answer, line, list, recordOf, sometimes } from "../../../rules/shape/answer.ts";
import type { Invited } from "../invite.ts";
import { changed } from "./changed.ts";

const keys = {
  user: always<Invited, string, string>("for whom", line, "user"),
  link: always<Invited, string, string>("what tsh invite takes, once; shown only now", line, "link"),
  expires: always<Invited, string, string>("until when it is good", line, "expires"),
};

export const invitationAnswer = answer<Invited>("A link by which a user gets another password.")(keys);

export type AddedUser = { readonly changed: readonly ChangedJson[]; readonly invited: Invited | undefined };

export const addedUserAnswer = answer<AddedUser>("A user that was made, and invited.")({
  changed: always("the user", list(changed), "changed"),
  invitation: sometimes(
    "how they get a password; missing where it is not known at which proxy they sign in",
    recordOf<Invited>("a link")(keys),
    "invited",
  ),
});
