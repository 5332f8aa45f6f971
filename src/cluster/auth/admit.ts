import { judge } from "../access/judge.ts";
import { Fault } from "../../rules/fault/fault.ts";
import type { Caller, StrangeBecause } from "./caller.ts";
import { admissionOf, type Admission } from "./methods.ts";
import { refusedBy, rolesOf } from "./permission.ts";

/** Runs before the handler sees the call. */
export function admit(caller: Caller, method: string): void {
  const admission = admissionOf(method);
  if (admission === undefined) throw unknownMethod(method);
  if (admission.kind === "everybody" && isConnectedHere(caller)) return;
  if (caller.kind === "stranger") throw unknownCaller(caller);
  if (!isAdmitted(caller, admission)) throw refused(caller, { method, admission });
}

/** Whether the caller is connected directly, not through a proxy. */
function isConnectedHere({ kind }: Caller): boolean {
  return kind !== "visitor" && kind !== "person";
}

type Known = Exclude<Caller, { readonly kind: "stranger" }>;

function isAdmitted(caller: Known, admission: Admission): boolean {
  switch (admission.kind) {
    case "everybody":
      return isConnectedHere(caller);
    case "visitors":
      return caller.kind === "visitor" && (!admission.proven || caller.proof !== undefined);
    case "people":
      return caller.kind === "person";
    case "root":
      return caller.kind === "root";
    case "judged":
      return caller.kind === "root" || caller.kind === "person";
    case "known":
      if (caller.kind === "instance") return admission.instances.includes(caller.of);
      return caller.kind === "root" || caller.kind === "person";
    case "instances":
      return caller.kind === "instance" && admission.instances.includes(caller.of);
    case "permitted":
      return judge(rolesOf(caller), admission.permission).kind === "allowed";
  }
}

function unknownMethod(method: string): Fault {
  return new Fault("request-refused", {
    message: `auth has no method ${method}`,
    hint: "does the program that asks come from a later release than this auth service?",
  });
}

export const strange: Readonly<Record<StrangeBecause, string>> = {
  "no-certificate": "none was shown",
  "unknown-authority": "no authority of this cluster has signed the one that was shown",
  "not-an-identity": "the one that was shown is for something else",
  "other-cluster": "the one that was shown is another cluster's",
  "not-yet": "the one that was shown is not valid yet by auth's clock",
  expired: "the one that was shown has expired",
  "unknown-instance": "the one that was shown is of an instance that is not in this cluster",
  removed: "the one that was shown is of an instance that was removed from the cluster",
};

function unknownCaller({ why }: Extract<Caller, { readonly kind: "stranger" }>): Fault {
  return new Fault("identity-refused", {
    message: `this call needs a certificate of the cluster, and ${strange[why]}`,
    hint: "`tctl instances ls` on the auth host shows who has joined; a host joins with `svc join`",
  });
}

type Refusing = { readonly method: string; readonly admission: Admission };

function refused(caller: Known, { method, admission }: Refusing): Fault {
  if (caller.kind === "visitor" && isForPeople(admission)) return noSession();
  if (admission.kind === "permitted") return refusedBy(caller, admission.permission);
  const whoMay = admission.kind === "root" ? "only root on the auth host may" : "it is for other kinds of callers";
  const isAboutSigningIn = admission.kind === "visitors" || admission.kind === "people";
  return new Fault("access-denied", {
    message: `${whoIs(caller)} may not call ${method}: ${whoMay}`,
    hint: isAboutSigningIn ? "it is about people who sign in: `tsh login`" : "root can on the auth host, with tctl",
  });
}

function isForPeople({ kind }: Admission): boolean {
  return kind === "people" || kind === "known" || kind === "judged" || kind === "permitted";
}

function noSession(): Fault {
  return new Fault("session-ended", {
    message: "this call needs a session, and none was shown",
    hint: "sign in: `tsh login`",
  });
}

function whoIs(caller: Known): string {
  switch (caller.kind) {
    case "root":
      return "root";
    case "person":
      return caller.user;
    case "visitor":
      return "somebody who has not signed in";
    case "instance":
      return `a certificate of kind ${caller.of}`;
  }
}
