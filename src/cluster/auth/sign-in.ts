import { byDefault, record, type Of } from "../../rules/shape/shape.ts";
import type { SessionService } from "../api/generated/svc/v1/session_pb.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { codePattern, stepAt, stepOf } from "../identity/one-time-code.ts";
import { plainText, resourceName } from "../resource/name.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { tryToBeginSession, type SignedIn } from "./begin-session.ts";
import { originOf, type Caller, type Proof, type Relayed } from "./caller.ts";
import { retrying, type overtaken } from "./changes.ts";
import type { AuthContext } from "./context.ts";
import { findCredential, type Credential } from "./credential-row.ts";
import { proofRefused } from "./find-person.ts";
import type { HandlersOf } from "./handlers.ts";
import { networkOf } from "./network-of.ts";
import { isPassword, mostPasswordBytes, nobodysPassword } from "./password.ts";
import type { RefusedSignIn } from "./refused-sign-ins.ts";
import { readFields } from "./row-forms.ts";
import { secretText } from "./secret-text.ts";

const asked = record({
  user: resourceName,
  password: secretText(
    (text) => text !== "" && Buffer.byteLength(text) <= mostPasswordBytes,
    `at most ${mostPasswordBytes} bytes`,
  ),
  code: byDefault(
    secretText((text) => text === "" || codePattern.test(text), "six digits"),
    "",
  ),
  client: byDefault(plainText, ""),
});
type Asked = Of<typeof asked>;

export const signIn: HandlersOf<typeof SessionService>["signIn"] = async (context, caller, request) => {
  const { people, store, now } = context;
  const { proof, proxy, address } = visitorWithProof(caller);
  const wanted = readFields(asked, request, "the sign-in");
  if (people.proofs.isForgotten({ made: proof.made, now: now() })) {
    throw proofRefused("it was made before auth began to remember them", now());
  }
  const network = networkOf(address);
  const [credential, userItem] = await Promise.all([
    findCredential(store, wanted.user),
    store.get({ kind: "user", name: wanted.user }),
  ]);
  const note = (why: RefusedSignIn["why"]): void => {
    people.signIns[why] += 1;
    people.refused.note({ address: originOf(caller), user: userItem === undefined ? undefined : wanted.user, why, now: now() });
  };
  // Counts networks by proxy, so that a proxy that lies about addresses does not pause people behind another.
  const attempt = await people.pauses.begin({ user: wanted.user, network: `${proxy} ${network}`, now: now() });
  if (attempt.waitSeconds > 0) {
    note("paused");
    throw refused(attempt.waitSeconds);
  }
  const known = userItem === undefined ? undefined : credential?.row.password;
  const isRight = await people.hashing
    .run({ proxy, network }, () => isPassword(wanted.password, known ?? nobodysPassword))
    .catch(async (thrown: unknown) => {
      await attempt.takeBack();
      throw thrown;
    });
  if (!isRight || known === undefined) {
    note("password");
    throw refused();
  }
  const signedIn = await begin(context, caller, { wanted, proof, proxy, address, password: known });
  if (signedIn === "wrong-code") {
    note("code");
    throw refused();
  }
  await attempt.succeed();
  people.signIns.ok += 1;
  return signedIn;
};

export type Proven = Relayed & { readonly proof: Proof };

/** The gate admits only visitors with a proof. */
export function visitorWithProof(caller: Caller): Proven {
  if (caller.kind === "visitor" && caller.proof !== undefined)
    return { proof: caller.proof, proxy: caller.proxy, address: caller.address };
  throw new Fault("access-denied", {
    message: "signing in is for people, through a proxy",
    hint: "`tsh login --proxy=HOST --user=USER`",
  });
}

type Beginning = Proven & { readonly wanted: Asked; readonly password: string };
/** Begins a session after the password was right. */
async function begin(context: AuthContext, caller: Caller, beginning: Beginning): Promise<SignedIn | "wrong-code"> {
  await rememberProof(context, beginning);
  const beginOnce = async (): Promise<SignedIn | "wrong-code" | typeof overtaken> => {
    const credential = await findCredential(context.store, beginning.wanted.user);
    // The password has changed, or the user is gone.
    if (credential === undefined || credential.row.password !== beginning.password) throw refused();
    const step = stepFor(context, beginning.wanted, credential);
    if (step === "wrong") return "wrong-code";
    const { wanted, proof, address } = beginning;
    const after = { ...credential.row, last_step: step ?? credential.row.last_step };
    const session = { user: wanted.user, client: wanted.client, address, key: proof.key, through: undefined, checks: [] };
    return tryToBeginSession(context, caller, { ...session, credential, after });
  };
  return retrying(beginOnce, { message: "others sign in as the same user at the same time", hint: "try again" });
}

/** Remembers only proofs with a right password. Answers a used proof like a wrong password, or it would tell that the password is right. */
async function rememberProof({ people, now }: AuthContext, { wanted, proof: { id, made } }: Beginning): Promise<void> {
  const remembered = await people.proofs.remember({ owner: `sign-in ${wanted.user}`, id, made, now: now() });
  if (remembered === "used" || remembered === "forgotten") throw refused();
}

/** Undefined if no second factor is asked for. */
function stepFor({ secondFactor, now }: AuthContext, { code }: Asked, { row }: Credential): number | undefined | "wrong" {
  if (secondFactor === "off") return undefined;
  const step = row.secret === undefined ? undefined : stepOf(code, row.secret, now());
  return step === undefined || step <= lastStep(row.last_step, now()) ? "wrong" : step;
}

/** Ignores a last step in the future: auth's clock was ahead, and the user would have to wait. */
function lastStep(used: number | undefined, now: UnixSeconds): number {
  return used === undefined || used > stepAt(now) + 1 ? -1 : used;
}

/** Every reason gives the same fault, also a user that does not exist. */
function refused(waitSeconds?: number): Fault {
  if (waitSeconds === undefined) {
    return new Fault("sign-in-refused", {
      message: "the user, the password or the one-time code is not right",
      hint: "try again, with the code of now; root on the auth host makes a new link: `sudo tctl users reset USER`",
    });
  }
  return new Fault("sign-in-refused", {
    message: `too many were refused from there before: it is looked at again in ${waitSeconds} s`,
    hint: "wait for so long, and try again; from another address nothing has to be waited for",
    retryAfterSeconds: waitSeconds,
  });
}
