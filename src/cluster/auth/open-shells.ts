import { randomUUID } from "node:crypto";
import { judgeShell } from "../access/shells.ts";
import type { EndedShell, ShellService } from "../api/generated/svc/v1/shell_pb.ts";
import { quote } from "../../rules/text/quote.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { count, record, type Of } from "../../rules/shape/shape.ts";
import { plainText } from "../resource/name.ts";
import type { Item, Store } from "../storage/port.ts";
import type { Caller } from "./caller.ts";
import { sessionSeconds } from "./begin-session.ts";
import { put, type Told } from "./changes.ts";
import { commitFor } from "./commit.ts";
import type { AuthContext } from "./context.ts";
import { everyItem } from "./every-item.ts";
import { rolesOfLiving } from "./find-person.ts";
import type { HandlersOf } from "./handlers.ts";
import { findJoined } from "./instance-row.ts";
import { bodyOf, rowOf, storedHostname } from "./row-forms.ts";

const kind = "shell";
/** An open shell. Its name has two parts: the id of its proxy, and an id of its own. */
const openShell = record({
  user: plainText,
  session: plainText,
  login: plainText,
  host: plainText,
  hostname: storedHostname,
  address: plainText,
  opened: count,
});
type OpenShell = Of<typeof openShell>;
type Open = { readonly item: Item; readonly row: OpenShell };

/** Notes the shell of a person who may open it. Returns the name by which the proxy ends it. */
export async function noteShell(
  context: AuthContext,
  caller: Extract<Caller, { readonly kind: "person" }>,
  { login, host, hostname }: Pick<OpenShell, "login" | "host" | "hostname">,
): Promise<string> {
  const { user, session, proxy, address } = caller;
  const name = randomUUID();
  const row = { user, session, login, host, hostname, address, opened: context.now() };
  const changes = [put({ kind, name: `${proxy}/${name}` }, bodyOf(openShell, row), undefined)];
  const audit = [
    { event: "shell.opened", kind: "instance", name: host, detail: `${login} on ${hostname} from ${address}` },
  ] as const;
  await commitFor(caller, { changes, audit }, context);
  return name;
}

/** Each closed shell needs a change and an audit entry, and one commit takes only so many. */
const mostAtOnce = 50;
/** The most by which rounding to whole seconds changes the difference of two times. */
const roundingSeconds = 2;

export const keepShells: HandlersOf<typeof ShellService>["keepShells"] = async (context, caller, { upSeconds, ended }) => {
  if (caller.kind !== "instance" || ended.length > mostAtOnce)
    throw new Fault("request-refused", { message: `at most ${mostAtOnce} shells end in one call`, hint: "say the others later" });
  const began = context.now() - upSeconds - roundingSeconds;
  const told = new Map(ended.map((one) => [one.shell, one]));
  const over: Over[] = [];
  const ending: { shell: string; why: string }[] = [];
  for await (const open of shellsOf(context.store, `${caller.id}/`)) {
    const shell = open.item.name.slice(caller.id.length + 1);
    const said = told.get(shell);
    if (said !== undefined) over.push({ ...open, said });
    else if (open.row.opened < began) over.push({ ...open, said: { why: "the proxy was started again" } });
    else {
      const why = await whyOver(context, open.row);
      if (why !== undefined) ending.push({ shell, why });
    }
  }
  await close(context, caller, over);
  return { ending };
};

async function* shellsOf(store: Pick<Store, "list">, prefix: string): AsyncGenerator<Open> {
  for await (const item of everyItem(store, kind, prefix)) {
    if (!item.name.startsWith(prefix)) return;
    yield { item, row: rowOf(openShell, item) };
  }
}

/** Why a person may no longer have this shell; undefined while they may. */
async function whyOver({ store, now }: AuthContext, { user, session, login, host }: OpenShell): Promise<string | undefined> {
  const roles = await rolesOfLiving({ store, now }, session);
  if (roles === undefined) return "the session is over";
  const found = await findJoined(store, host);
  if (found === undefined) return "the host was removed";
  const { kind: verdict } = judgeShell(roles, { user, login, labels: found.row.labels });
  return verdict === "allowed" ? undefined : `no role allows ${login} there any more`;
}

type Over = Open & { readonly said: { readonly why: string } & Partial<Pick<EndedShell, "bytesIn" | "bytesOut">> };

async function close(context: AuthContext, caller: Caller | "auth", over: readonly Over[]): Promise<void> {
  for (let from = 0; from < over.length; from += mostAtOnce) {
    const some = over.slice(from, from + mostAtOnce);
    const changes = some.map(({ item }) => ({ kind: "delete" as const, item, expect: { kind: "anything" as const } }));
    const audit = some.map((one) => closed(one, context.now() - one.row.opened));
    await commitFor(caller, { changes, audit }, context);
  }
}

function closed({ row, said: { bytesIn, bytesOut, why } }: Over, seconds: number): Told {
  const { user, login, host, hostname, address } = row;
  const bytes = bytesIn === undefined ? {} : { bytes_in: Number(bytesIn), bytes_out: Number(bytesOut) };
  const passed = bytesIn === undefined ? "" : `, ${bytesIn} bytes in and ${bytesOut} out`;
  return {
    event: "shell.closed",
    kind: "instance",
    name: host,
    after: { user, login, address, seconds, ...bytes, why: quote(why) },
    detail: `${user} as ${login} on ${hostname} from ${address}: ${seconds} s${passed}; ${quote(why)}`,
  };
}

/** Forgets shells that are older than any session: their proxy never came back to close them. */
export async function forgetOldShells(context: AuthContext): Promise<void> {
  const before = context.now() - sessionSeconds - 3600;
  const over: Over[] = [];
  for await (const open of shellsOf(context.store, ""))
    if (open.row.opened < before) over.push({ ...open, said: { why: "its proxy did not tell" } });
  await close(context, "auth", over);
}
