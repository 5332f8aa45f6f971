import { createPublicKey, type KeyObject } from "node:crypto";
import { isLogin, judgeShell } from "../access/shells.ts";
import type { ShellService } from "../api/generated/svc/v1/shell_pb.ts";
import { isP256 } from "../identity/key.ts";
import { parseInstanceId } from "../identity/names.ts";
import { certifySsh, parseSshKey, sshKeyOf } from "../identity/ssh.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import type { Caller } from "./caller.ts";
import { put } from "./changes.ts";
import { commitFor } from "./commit.ts";
import type { AuthContext } from "./context.ts";
import type { HandlersOf } from "./handlers.ts";
import { keepShells, noteShell } from "./open-shells.ts";
import { instanceKey, instanceRow, type InstanceRow, findJoined } from "./instance-row.ts";
import { nameLabel, namesOf } from "./host-names.ts";
import { reportedAfter } from "./list-reported.ts";
import { reportKey, reportRow } from "./report-row.ts";
import { bodyOf, findRow } from "./row-forms.ts";
import { sshAuthorities, sshSigner } from "./ssh-authority.ts";
import { sshHost, sshHostKey } from "./ssh-host.ts";
import { timestamp } from "./timestamp.ts";

/** Long enough to open a shell, which then stays open after the certificate's end. */
const certificateSeconds = 300;
/** Certificates are valid from this long ago, for hosts whose clock is behind. */
const backdateSeconds = 60;

export const shellHandlers: HandlersOf<typeof ShellService> = {
  certifyShell: async (context, caller, { host, login, publicKey }) => {
    const { store, cluster, now } = context;
    const key = keyIn(publicKey);
    const found = await findHost(context, host);
    const { user } = refuseShell(caller, found, login);
    if ((await findRow(store, sshHost, sshHostKey(found.id))) === undefined) throw notSetUp(found);
    const until = now() + certificateSeconds;
    const certificate = certifySsh({
      authority: await sshSigner(store, "user"),
      kind: "user",
      key: sshKeyOf(key),
      keyId: `${user}@${cluster.name}`,
      principals: [`${login}@${found.id}`],
      valid: { from: now() - backdateSeconds, until },
    });
    const detail = `${login} on ${found.hostname}, for ${certificateSeconds / 60} minutes`;
    await commitFor(
      caller,
      { changes: [], audit: [{ event: "shell.certified", kind: "instance", name: found.id, detail }] },
      context,
    );
    return { serverId: found.id, hostname: found.hostname, certificate, until: timestamp(until) };
  },
  openShell: async (context, caller, { host, login }) => {
    const { id, hostname, labels } = await findHost(context, host);
    const person = refuseShell(caller, { id, hostname, labels }, login);
    const shell = await noteShell(context, person, { login, host: id, hostname });
    return { serverId: id, hostname, shell };
  },
  certifyHost: async (context, caller, { publicKey }) => {
    if (caller.kind !== "instance") throw new Error("only an instance has an sshd");
    const { store, cluster } = context;
    const key = parseSshKey(publicKey);
    if (key === undefined) {
      throw new Fault("request-refused", {
        message: "what was sent is no public key of an sshd",
        hint: "`sudo svc ssh setup` sends one of ed25519, ecdsa or rsa",
      });
    }
    const authorities = await sshAuthorities(store, "user", cluster.name);
    const { id } = caller;
    const instance = await findRow(store, instanceRow, instanceKey(id));
    const name = instance?.row.labels[nameLabel];
    const principals = [id, ...(name === undefined ? [] : [name])];
    const certificate = certifySsh({
      authority: await sshSigner(store, "host"),
      kind: "host",
      key,
      keyId: `${id}@${cluster.name}`,
      principals,
      valid: undefined,
    });
    const stored = await findRow(store, sshHost, sshHostKey(id));
    const row = { knows: authorities.map(({ item }) => item.name) };
    const changes = [put(sshHostKey(id), bodyOf(sshHost, row), stored?.item)];
    const audit = [{ event: "sshd.certified", kind: "instance", name: id, detail: `as ${principals.join(" and ")}` }] as const;
    await commitFor(caller, { changes, audit }, context);
    return { certificate, userAuthorities: authorities.map(({ line }) => line) };
  },
  keepShells,
};

function notSetUp({ id, hostname }: Found): Fault {
  return new Fault("request-refused", {
    message: `the sshd of ${quote(hostname)} (${id}) was not told whose certificates to take`,
    hint: "on that host: `sudo svc ssh setup`",
  });
}

type Found = { readonly id: string; readonly hostname: string; readonly labels: InstanceRow["labels"] };

/** With more hosts of one name, a list helps nobody to choose. */
const mostOfOneName = 50;

/**
 * Finds a host by its Server ID, by its own name, or by the name in its label, with or without the cluster's. Refuses a name that two hosts share.
 */
async function findHost(context: AuthContext, typed: string): Promise<Found> {
  const id = parseInstanceId(typed.toLowerCase());
  if (id !== undefined) {
    const found = await readHost(context, id);
    if (found === undefined) throw noHost(typed);
    return found;
  }
  const asked = typed.toLowerCase();
  const wanted = [asked, `${asked}.${context.cluster.name.toLowerCase()}`];
  const ids = await context.hostNames.find(wanted, () => reportedAfter(context, ""));
  const named: Found[] = [];
  for (const one of ids.slice(0, mostOfOneName)) {
    const found = await readHost(context, one);
    if (found?.names.some((name) => wanted.includes(name)) === true) named.push(found);
  }
  const [only, ...more] = named;
  if (only === undefined) throw noHost(typed);
  if (more.length === 0) return only;
  const lines = named.slice(0, 5).map(({ id: one }) => `\`tsh ssh LOGIN@${one}\``);
  throw new Fault("request-refused", {
    message: `${named.length} hosts are called ${quote(typed)}`,
    hint: `say which, by its Server ID: ${lines.join(", ")}`,
  });
}

/** Undefined if the host does not exist or was removed. */
async function readHost(
  { store }: Pick<AuthContext, "store">,
  id: string,
): Promise<(Found & { readonly names: readonly string[] }) | undefined> {
  const found = await findJoined(store, id);
  if (found === undefined) return undefined;
  const { row } = found;
  const report = (await findRow(store, reportRow, reportKey(id)))?.row;
  return { id, hostname: (report ?? row).hostname, labels: row.labels, names: namesOf({ row, report }) };
}

type Person = Extract<Caller, { readonly kind: "person" }>;

/** Throws unless the caller is a person whose roles allow this login on this host. */
function refuseShell(caller: Caller, { id, hostname, labels: given }: Found, login: string): Person {
  if (caller.kind !== "person") throw new Fault("access-denied", { message: "only people open shells", hint: "`tsh login`" });
  if (!isLogin(login)) {
    throw new Fault("request-refused", {
      message: `"${quote(login)}" cannot be an account's name`,
      hint: "small letters, digits, _ and -, for example `tsh ssh root@HOST`",
    });
  }
  const { user, roles } = caller;
  const verdict = judgeShell(roles, { user, login, labels: given });
  if (verdict.kind === "allowed") return caller;
  const where = `${login} on ${quote(hostname)} (${id})`;
  if (verdict.kind === "denied") {
    throw new Fault("access-denied", {
      message: `the role ${verdict.by} denies shells as ${where}`,
      hint: `root can on the auth host: take this role from ${user} (\`tctl users update\`), or change its \`deny\``,
    });
  }
  const labels = Object.entries(given).map(([name, value]) => `${quote(name)}=${quote(value)}`);
  const why =
    verdict.what === "login"
      ? `none of your roles has the login ${login}`
      : `none of your roles has the login ${login} for a host with ${labels.length === 0 ? "no labels" : `the labels ${labels.join(", ")}`}`;
  throw new Fault("access-denied", {
    message: `no shell as ${where}: ${why}`,
    hint: "root writes one on the auth host: `logins` and `node_labels` of a role's `allow`, and `tctl users update`",
  });
}

function noHost(typed: string): Fault {
  return new Fault("resource-missing", {
    message: `there is no host ${quote(typed)}`,
    hint: "`tctl inventory ls` shows the names and the Server IDs",
  });
}

function keyIn(pem: string): KeyObject {
  try {
    const key = createPublicKey(pem);
    if (isP256(key)) return key;
  } catch {
    // OpenSSL throws many kinds of errors for a text that is not a key.
  }
  throw new Fault("request-refused", { message: "the key to certify is not one of P-256", hint: "`tsh ssh` makes one" });
}
