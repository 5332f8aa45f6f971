import { Fault } from "../../rules/fault/fault.ts";
import { clusterFaultTable, type ClusterFaultCode } from "../../rules/fault/cluster-table.ts";
import { quote } from "../../rules/text/quote.ts";
import type { PostAnswer, Transport } from "./transport.ts";

const longestTold = 2000;
const mostWrong = 1000;

/** Makes a fault of auth's refusal: in auth's own words if it sent any, otherwise by the protocol's code. */
export async function refusalIn(
  { status, retryAfter }: Pick<PostAnswer, "status" | "retryAfter">,
  text: string,
  { whom }: Pick<Transport, "whom">,
): Promise<Fault> {
  const error = readError(text);
  if (error === undefined) return new Fault("auth-mismatch", notAuth(whom, `HTTP status ${status}`));
  const retryAfterSeconds = secondsIn(retryAfter);
  const refusal = await detailOf(error.details, retryAfterSeconds);
  if (refusal !== undefined) return refusal;
  const said = quote(error.message, longestTold);
  switch (error.code) {
    case "unavailable":
    case "resource_exhausted":
      return new Fault("auth-busy", {
        message: said === "" ? `${whom} has too much to do at present` : `${whom} says: ${said}`,
        hint: `try again${retryAfterSeconds === undefined ? "" : ` in ${retryAfterSeconds} seconds`}`,
        retryAfterSeconds,
      });
    case "deadline_exceeded":
      return new Fault("auth-busy", { message: `${whom} did not finish in time`, hint: "try again" });
    case "unimplemented":
      return new Fault("request-refused", {
        message: `${whom} does not know this call: ${said}`,
        hint: "is its version older than this program's? `tctl version` and `tctl status` show both",
      });
    case "unauthenticated":
      return new Fault("identity-refused", {
        message: `${whom} says: ${said}`,
        hint: clusterFaultTable["identity-refused"].remedy,
      });
    case "permission_denied":
      return new Fault("access-denied", {
        message: `${whom} says: ${said}`,
        hint: clusterFaultTable["access-denied"].remedy,
      });
    case "internal":
    case "unknown":
    case "data_loss":
      return new Fault("auth-failed", {
        message: `${whom} says: ${said}`,
        hint: "its log says more: `journalctl -u svc`",
      });
    default:
      return new Fault("request-refused", {
        message: `${whom} says: ${said}`,
        hint: clusterFaultTable["request-refused"].remedy,
      });
  }
}

/** The seconds in the header. Auth sends a number, so anything else is not from auth. */
function secondsIn(retryAfter: string | undefined): number | undefined {
  return retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : undefined;
}

export function answerUnreadable({ whom }: Pick<Transport, "whom">, why: string): Fault {
  return new Fault("auth-mismatch", notAuth(whom, why));
}

function notAuth(whom: string, why: string): { readonly message: string; readonly hint: string } {
  return { message: `what ${whom} answered cannot be read: ${quote(why)}`, hint: clusterFaultTable["auth-mismatch"].remedy };
}

type ConnectError = { readonly code: string; readonly message: string; readonly details: readonly unknown[] };

function readError(text: string): ConnectError | undefined {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof found !== "object" || found === null || !("code" in found) || typeof found.code !== "string") return undefined;
  const message = "message" in found && typeof found.message === "string" ? found.message : "";
  const details: readonly unknown[] = "details" in found && Array.isArray(found.details) ? found.details : [];
  return { code: found.code, message, details };
}

/** Loads the code for it only after a refusal, because most calls have none. */
async function detailOf(details: readonly unknown[], retryAfterSeconds: number | undefined): Promise<Fault | undefined> {
  const value = details.map(refusalBytes).find((one) => one !== undefined);
  if (value === undefined) return undefined;
  const [{ fromBinary }, { RefusalSchema }] = await Promise.all([
    import("@bufbuild/protobuf"),
    import("./generated/svc/v1/refusal_pb.ts"),
  ]);
  try {
    const { code, message, hint, wrong } = fromBinary(RefusalSchema, Buffer.from(value, "base64"));
    return new Fault(knownCode(code), {
      message: message
        .split("\n")
        .map((line) => quote(line, longestTold))
        .join("\n"),
      hint: quote(hint, longestTold),
      retryAfterSeconds,
      wrong: wrong.slice(0, mostWrong).map(({ at, found, allowed }) => ({
        at: quote(at, longestTold),
        found: quote(found, longestTold),
        allowed: quote(allowed, longestTold),
      })),
    });
  } catch {
    return undefined;
  }
}

function refusalBytes(detail: unknown): string | undefined {
  if (typeof detail !== "object" || detail === null || !("type" in detail) || !("value" in detail)) return undefined;
  return detail.type === "svc.v1.Refusal" && typeof detail.value === "string" ? detail.value : undefined;
}

/** A later release may have other codes. Their words are shown all the same. */
function knownCode(code: string): ClusterFaultCode {
  return Object.hasOwn(clusterFaultTable, code) ? (code as ClusterFaultCode) : "request-refused";
}
