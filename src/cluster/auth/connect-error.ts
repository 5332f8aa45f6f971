import { Code, ConnectError } from "@connectrpc/connect";
import { RefusalSchema } from "../api/generated/svc/v1/refusal_pb.ts";
import type { AnyFaultCode, Fault } from "../../rules/fault/fault.ts";
import { isClusterFault } from "../../rules/fault/tell-fault.ts";
import type { Log } from "../../machine/logging/log.ts";

/** Leaves out the faults of the programs that call auth. */
const codes: Partial<Record<AnyFaultCode, Code>> = {
  "resource-invalid": Code.InvalidArgument,
  "request-refused": Code.InvalidArgument,
  "resource-missing": Code.NotFound,
  "resource-exists": Code.AlreadyExists,
  "resource-overtaken": Code.Aborted,
  "access-denied": Code.PermissionDenied,
  "join-refused": Code.PermissionDenied,
  "invitation-refused": Code.PermissionDenied,
  "identity-refused": Code.Unauthenticated,
  "sign-in-refused": Code.Unauthenticated,
  "provider-failed": Code.FailedPrecondition,
  "session-ended": Code.Unauthenticated,
  "proof-refused": Code.Unauthenticated,
  "auth-busy": Code.Unavailable,
  "store-failed": Code.Unavailable,
  "store-full": Code.Unavailable,
  "store-in-use": Code.Unavailable,
  "store-unreadable": Code.DataLoss,
};

/** The answer to the caller. Only the log says what a bug was. */
export function connectError(thrown: unknown, { method, log }: { readonly method: string; readonly log: Log }): ConnectError {
  if (thrown instanceof ConnectError) return thrown;
  if (isClusterFault(thrown)) {
    if (thrown.cause !== undefined)
      log("warning", "a call was refused for a reason of the system's", { method, ...causeOf(thrown) });
    return refusal(thrown);
  }
  log("error", "a call failed in a way that auth does not know: please report this", { method, stack: stackOf(thrown) });
  return new ConnectError("auth failed in a way that it does not know; its log says more", Code.Internal);
}

export function refusal({ code, message, hint, wrong, retryAfterSeconds }: Fault): ConnectError {
  const detail = { code, message, hint, wrong: wrong.map(({ at, found, allowed }) => ({ at, found, allowed })) };
  const headers = retryAfterSeconds === undefined ? undefined : { "retry-after": String(retryAfterSeconds) };
  return new ConnectError(message, codes[code] ?? Code.FailedPrecondition, headers, [{ desc: RefusalSchema, value: detail }]);
}

function causeOf({ message, cause }: Fault): { readonly fault: string; readonly cause: string } {
  return { fault: message, cause: cause instanceof Error ? cause.message : String(cause) };
}

function stackOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}
