import { call } from "../../api/call.ts";
import type { SessionJson, SignInResponseJson } from "../../api/generated/svc/v1/session_pb.ts";
import type { Methods } from "../../api/methods.ts";
import type { Transport } from "../../api/transport.ts";
import { isClusterFault } from "../../../rules/fault/tell-fault.ts";
import { Fault } from "../../../rules/fault/fault.ts";
import { quote } from "../../../rules/text/quote.ts";
import { makeKeyPair } from "../../identity/key.ts";
import { parseClusterId, type ClusterId } from "../../identity/names.ts";
import { clusterNamePattern } from "../../services/cluster-name.ts";
import { connectorRule, parseConnectorName } from "../../resource/connector.ts";
import { nameRule, parseResourceName } from "../../resource/name.ts";
import { isSshKeyLine, type Profile } from "../../session/profile.ts";
import { keepProfile, requireRoom } from "../../session/profiles.ts";
import { askedProxy, printProxyAddress } from "../../session/proxy-address.ts";
import { signedIn, towards } from "../../session/signed-in.ts";
import { fingerprintOfLine } from "../../identity/ssh.ts";
import type { HostPort } from "../../../rules/route/host-port.ts";
import { resolve } from "node:path";
import { profileFor, type TshContext } from "../context.ts";
import type { Given } from "../../../machine/command-line/row.ts";
import { browsersCode, secretsFrom, type Secrets } from "../secrets.ts";
import { signInByBrowser } from "../sign-in-by-browser.ts";
import { tellSession } from "../screen.ts";

const client = "tsh";

export async function login(context: TshContext, given: Given): Promise<number> {
  const { surroundings, profiles } = context;
  const asked = askedFor(context, given);
  const { proxy, caFile } = asked;
  // Checks this first, because a sign-in uses up a one-time code even if the session cannot be stored.
  requireRoom(profiles);
  const stranger = towards({ proxy, caFile, proving: undefined, clockAheadSeconds: 0 }, context);
  const greeting = await greet(stranger, context);
  const { privateKey } = await makeKeyPair();
  const proving = { cluster: greeting.id, privateKey, token: undefined };
  const transport = towards({ proxy, caFile, proving, clockAheadSeconds: greeting.ahead }, context);
  const wanted = asked.connector === undefined ? undefined : browsersCode;
  const secrets = await secretsFrom(surroundings, given.text("passwordFile"), wanted);
  const signingIn = { transport, greeting, secrets, stopping: surroundings.stopping };
  let answer: SignInResponseJson;
  try {
    answer =
      asked.connector === undefined
        ? await byPassword(asked, signingIn)
        : await signInByBrowser({ ...signingIn, connector: asked.connector, client, ...surroundings });
  } finally {
    secrets.close();
  }
  const { session = {}, token = "" } = answer;
  const begun = profileOf(session, { asked, greeting, privateKey, token, whom: transport.whom });
  const profile = { ...begun, hostAuthorities: await hostAuthorities(begun, context) };
  const before = profileBefore(context, printProxyAddress(proxy));
  keepProfile(profiles, profile);
  surroundings.out(`signed in\n${tellSession(profile)}${tellOthers(profile, before)}`);
  return 0;
}

type ClusterStatus = Methods["ClusterService/GetStatus"]["response"];

/** The keys that sign hosts' certificates. Without them `tsh ssh` trusts no host, but everything else works. */
async function hostAuthorities(begun: Profile, context: TshContext): Promise<readonly string[]> {
  const { stopping } = context.surroundings;
  const asked = { method: "ClusterService/GetStatus", request: {} } as const;
  const status = await call(signedIn(begun, context), asked, { stopping }).catch((): ClusterStatus => ({}));
  return (status.sshHostAuthorities ?? []).filter(isSshKeyLine);
}

/** Tells that the keys have changed: a proxy in wrong hands could name a key of its own. */
function tellOthers({ cluster, hostAuthorities: now }: Profile, before: Profile | undefined): string {
  if (before?.cluster.id !== cluster.id || before.hostAuthorities.length === 0) return "";
  const others = now.filter((line) => !before.hostAuthorities.includes(line)).map((line) => fingerprintOfLine(line));
  if (others.length === 0) return "";
  return `hosts are trusted by another key than at the last sign-in: ${others.join(", ")}. \`tctl ca rotate\` makes one, and \`tctl status\` shows it.\n`;
}

type SigningIn = {
  readonly transport: Transport;
  readonly greeting: Greeting;
  readonly secrets: Secrets;
  readonly stopping: AbortSignal;
};

async function byPassword(
  { user, proxy }: AskedFor,
  { transport, greeting, secrets, stopping }: SigningIn,
): Promise<SignInResponseJson> {
  const where = `${user} at ${printProxyAddress(proxy)}, cluster ${quote(greeting.name)}`;
  const password = await secrets.next(`Password for ${where}: `);
  const code = (await secrets.next("One-time code (empty where none is asked for): ")).replaceAll(" ", "");
  secrets.rest();
  const request = { user, password, code, client };
  return await call(transport, { method: "SessionService/SignIn", request }, { stopping });
}

type AskedFor = {
  readonly proxy: HostPort;
  readonly caFile: string | undefined;
  /** Undefined for a sign-in by password. */
  readonly connector: string | undefined;
  /** Empty if the connector will name the user. */
  readonly user: string;
};

/** What the user asked for. What is missing comes from the last sign-in. */
function askedFor(context: TshContext, given: Given): AskedFor {
  const named = given.text("proxy");
  const before = profileBefore(context, named);
  const proxy = named === undefined ? before?.proxy : askedProxy(named);
  if (proxy === undefined) throw missing("which cluster? Its proxy's address is missing", "`tsh login --proxy=HOST --user=NAME`");
  const file = given.text("caFile");
  const caFile = file === undefined ? before?.caFile : resolve(file);
  const [auth, name] = [given.text("auth"), given.text("user")];
  const line = `tsh login --proxy=${printProxyAddress(proxy)}`;
  if (auth !== undefined && name !== undefined) {
    throw missing(
      "--auth and --user exclude each other: a connector says itself who you are",
      `\`${line} --auth=${quote(auth)}\`, or \`${line} --user=${quote(name)}\` with a password`,
    );
  }
  const connector = auth ?? (name === undefined ? before?.connector : undefined);
  if (connector !== undefined) {
    if (parseConnectorName(connector) === undefined)
      throw missing(`"${quote(connector)}" cannot be a connector's name`, connectorRule);
    return { proxy, caFile, connector, user: "" };
  }
  const user = name ?? before?.user;
  if (user === undefined) {
    throw missing("as whom? The user is missing", `\`${line} --user=NAME\`, or \`${line} --auth=NAME\` through a connector`);
  }
  if (parseResourceName(user) === undefined) throw missing(`"${quote(user)}" cannot be a user's name`, nameRule);
  return { proxy, user, connector: undefined, caFile };
}

/** The profile of the last sign-in. If the user named the proxy, an unreadable profile is ignored, and the new sign-in replaces it. */
function profileBefore(context: TshContext, proxy: string | undefined): Profile | undefined {
  try {
    return profileFor(context, proxy);
  } catch (thrown) {
    if (proxy === undefined || !isClusterFault(thrown)) throw thrown;
    return undefined;
  }
}

type Greeting = { readonly id: ClusterId; readonly name: string; readonly ahead: number };

async function greet(transport: Transport, { surroundings: { stopping }, now }: TshContext): Promise<Greeting> {
  const told = await call(transport, { method: "SessionService/Greet", request: {} }, { stopping });
  const id = parseClusterId(told.clusterId ?? "");
  if (id === undefined) throw notUnderstood(transport, "no cluster's id");
  const { clusterName: name = "" } = told;
  if (!clusterNamePattern.test(name)) throw notUnderstood(transport, "no cluster's name");
  const there = Math.floor(Date.parse(told.now ?? "") / 1000);
  return { id, name, ahead: Number.isSafeInteger(there) ? there - now() : 0 };
}

type Made = {
  readonly asked: AskedFor;
  readonly greeting: Greeting;
  readonly privateKey: string;
  readonly token: string;
  readonly whom: string;
};

function profileOf(session: SessionJson, { asked, greeting, privateKey, token, whom }: Made): Profile {
  const until = Math.floor(Date.parse(session.until ?? "") / 1000);
  if (!/^[0-9a-f]{64}$/.test(token) || !Number.isSafeInteger(until)) throw notUnderstood({ whom }, "no session");
  return {
    ...asked,
    user: session.user ?? asked.user,
    cluster: { id: greeting.id, name: greeting.name },
    roles: session.roles ?? [],
    session: session.name ?? "",
    token,
    privateKey,
    until,
    hostAuthorities: [],
    clockAheadSeconds: greeting.ahead,
  };
}

function notUnderstood({ whom }: Pick<Transport, "whom">, what: string): Fault {
  return new Fault("auth-mismatch", {
    message: `what ${whom} answered has ${what} in it`,
    hint: "is it the public address of a proxy of the cluster?",
  });
}

function missing(message: string, hint: string): Fault {
  return new Fault("usage", { message, hint });
}
