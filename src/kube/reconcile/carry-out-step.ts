import { statuses, type Answered } from "../api-server/api-server.ts";
import type { PatchAnswer } from "../objects/advance.ts";
import type { Change } from "../objects/move-step.ts";
import { judgeRefusal, type Operation } from "../objects/image-patch.ts";
import { readObject } from "../objects/seen.ts";
import { objectPath } from "./paths.ts";
import type { WriteScope } from "./write.ts";

/** Makes a recorded change. Returns undefined if the change does not affect the move's step. */
export async function act(change: Change, scope: WriteScope): Promise<PatchAnswer | undefined> {
  const { api, object, log, stopping } = scope;
  const { namespace, name } = object;
  if (change.kind === "patch") return judge(await api.patch(objectPath(object), change.operations, stopping));
  const { name: pod } = change.pod;
  const answered = await api.remove(`/api/v1/namespaces/${namespace}/pods/${pod}`, change.pod, stopping);
  const fields = { object: name, pod };
  if (answered.kind === "done") log("info", "a stuck pod is deleted", fields);
  else if (!stopping.aborted) log("warning", "a stuck pod could not be deleted", { ...fields, why: answered.message });
  // If the pod has changed meanwhile, the watch shows it.
  if (answered.kind === "done" || (answered.kind === "refused" && isOutdated(answered.status))) return undefined;
  const right =
    answered.kind === "refused" && answered.status === statuses.forbidden ? "; give the service account delete on pods" : "";
  return { kind: "again", told: `the stuck pod ${pod} could not be deleted: ${answered.message}${right}` };
}

function isOutdated(status: number): boolean {
  return status === statuses.absent || status === statuses.conflict;
}

/** What came of giving the field back. "again": its entry has moved, or the API server was away. */
export type GivenBack =
  | { readonly kind: "done" }
  | { readonly kind: "again" }
  | { readonly kind: "refused"; readonly told: string };

export async function giveBack(
  operations: readonly Operation[],
  { api, object, stopping }: Pick<WriteScope, "api" | "object" | "stopping">,
): Promise<GivenBack> {
  const answer = judge(await api.patch(objectPath(object), operations, stopping));
  if (answer.kind === "done" || answer.kind === "gone") return { kind: "done" };
  const { kind, told } = answer;
  return kind === "changed" || kind === "again" ? { kind: "again" } : { kind: "refused", told };
}

function judge(answered: Answered): PatchAnswer {
  if (answered.kind === "unreachable") return { kind: "again", told: answered.message };
  if (answered.kind === "refused") return judgeRefusal(answered);
  const reading = readObject(answered.answer);
  // If the answer cannot be read, the watch shows whether the patch was done.
  return reading.kind === "read" ? { kind: "done", object: reading.value } : { kind: "again", told: reading.why };
}
