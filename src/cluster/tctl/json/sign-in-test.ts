import type { MappingRowJson, SignInTestJson } from "../../api/generated/svc/v1/session_pb.ts";
import type { Mapping } from "../../../rules/shape/reading.ts";
import { always, answer, anything, line, list, orNull, recordOf } from "../../../rules/shape/answer.ts";
import { truth } from "../../../rules/shape/shape.ts";

const row = recordOf<MappingRowJson>("a row of the connector's mapping")({
  name: always("the claim, the attribute or the organization", line, (found) => found.name ?? ""),
  value: always("what it has to be", line, ({ value }) => value ?? ""),
  roles: always("what the row gives", list(line), ({ roles }) => roles ?? []),
  fits: always("whether it fits this person", truth, ({ fits }) => fits ?? false),
});

export const signInTestAnswer = answer<SignInTestJson>("What a sign-in through a connector would come to.")({
  connector: always("KIND/NAME", line, ({ connector }) => connector ?? ""),
  user: always("the name of the user; empty if the provider sends none that can be one", line, ({ user }) => user ?? ""),
  issuer: always("the provider, as it names itself", line, ({ issuer }) => issuer ?? ""),
  subject: always("the provider's lasting name for the person", line, ({ subject }) => subject ?? ""),
  claims: always(
    "everything that the provider told of the person",
    anything<Mapping>({ type: "object" }),
    ({ claims }) => (claims ?? {}) as Mapping,
  ),
  mapping: always("the rows of the connector's mapping", list(row), ({ mapping }) => mapping ?? []),
  roles: always("those that the session would have", list(line), ({ roles }) => roles ?? []),
  refused: always("why the person would be refused; null if they would get in", orNull(line), ({ refused = "" }) =>
    refused === "" ? undefined : refused,
  ),
});
