/** Labels that people gave a host. The host's own labels begin with `host/` and do not count. */
export type Labels = Readonly<Record<string, string>>;
/** Each key with the values that match; `*` matches any value, and `*: ["*"]` any host. */
export type WantedLabels = Readonly<Record<string, readonly string[]>>;

/** The logins that people may use, and the hosts on which they may use them. */
export type Shells = { readonly logins: readonly string[]; readonly labels: WantedLabels };

export type ShellRules = { readonly allow: Shells; readonly deny: Shells };
type Holding = { readonly name: string; readonly shells?: readonly ShellRules[] };

export type Shell = { readonly user: string; readonly login: string; readonly labels: Labels };

export type ShellVerdict =
  | { readonly kind: "allowed" }
  | { readonly kind: "denied"; readonly by: string }
  /** "login": no role has the login. "labels": roles have the login, but for hosts with other labels. */
  | { readonly kind: "missing"; readonly what: "login" | "labels" };

const any = "*";
const none: Shells = { logins: [], labels: {} };
/** The rules of root on the auth host. */
export const everyShell: ShellRules = { allow: { logins: [any], labels: { [any]: [any] } }, deny: none };

/** Stands for the user's own name. */
export const ownName = "{{user}}";
const loginPattern = /^[a-z_][a-z0-9_-]{0,31}$/;

export function isLogin(text: string): boolean {
  return loginPattern.test(text);
}

/** One deny beats every allow. */
export function judgeShell(roles: readonly Holding[], shell: Shell): ShellVerdict {
  const all = roles.flatMap(({ name, shells = [] }) => shells.map((rules) => ({ name, ...rules })));
  const denier = all.find(({ deny }) => hasLogin(deny, shell) || fits(deny.labels, shell.labels));
  if (denier !== undefined) return { kind: "denied", by: denier.name };
  const withLogin = all.filter(({ allow }) => hasLogin(allow, shell));
  if (withLogin.some(({ allow }) => fits(allow.labels, shell.labels))) return { kind: "allowed" };
  return { kind: "missing", what: withLogin.length === 0 ? "login" : "labels" };
}

function hasLogin({ logins }: Shells, { user, login }: Shell): boolean {
  return logins.some((one) => (one === ownName ? isLogin(user) && user !== "root" && user === login : one === login));
}

/** A rule without any label matches no host. */
function fits(wanted: WantedLabels, labels: Labels): boolean {
  const all = Object.entries(wanted);
  return all.length > 0 && all.every(([key, values]) => isThere({ key, values }, labels));
}

function isThere({ key, values }: { readonly key: string; readonly values: readonly string[] }, labels: Labels): boolean {
  if (key === any) return values.includes(any);
  const value = key.startsWith("host/") || !Object.hasOwn(labels, key) ? undefined : labels[key];
  return value !== undefined && (values.includes(any) || values.includes(value));
}

/** The logins that other labels open on a host to holders of these roles, and that the labeller may not use there. */
export function loginsByLabels(
  labeller: readonly Holding[],
  all: readonly Holding[],
  { before, after }: { readonly before: Labels; readonly after: Labels },
): readonly string[] {
  const rules = all.flatMap(({ shells = [] }) => shells);
  const gained = rules.filter(({ allow }) => fits(allow.labels, after) && !fits(allow.labels, before));
  const unbarred = rules.some(({ deny }) => fits(deny.labels, before) && !fits(deny.labels, after)) ? [any] : [];
  const logins = new Set([...gained.flatMap(({ allow }) => allow.logins), ...unbarred]);
  return [...logins].filter((login) => judgeShell(labeller, { user: "", login, labels: before }).kind !== "allowed");
}

/**
 * The logins that a change gives away although the granter lacks them: on hosts that the granter's roles do not cover, or that were denied before.
 */
export function loginsBeyond(
  granter: readonly ShellRules[],
  before: readonly ShellRules[],
  after: readonly ShellRules[],
): readonly string[] {
  const gained = after
    .filter(({ allow }) => !before.some((one) => covers(one.allow, allow)))
    .flatMap(({ allow }) =>
      allow.logins.filter((login) => !granter.some((one) => mayGive(one.allow, { ...allow, logins: [login] }))),
    );
  return [...new Set([...gained, ...freed(granter, before, after)])];
}

/** What a change no longer denies. On hosts that are no longer denied, it counts as any login, because the holders' other roles say which. */
function freed(granter: readonly ShellRules[], before: readonly ShellRules[], after: readonly ShellRules[]): readonly string[] {
  const logins = before
    .flatMap(({ deny }) => deny.logins)
    .filter((login) => !after.some(({ deny }) => deny.logins.includes(login)));
  const hosts = before
    .map(({ deny }) => deny.labels)
    .filter((labels) => Object.keys(labels).length > 0)
    .filter((labels) => !after.some(({ deny }) => JSON.stringify(deny.labels) === JSON.stringify(labels)));
  return [...logins, ...hosts.map(() => any)].filter(
    (login) => !granter.some((one) => mayGive(one.allow, { logins: [login], labels: { [any]: [any] } })),
  );
}

/** A rule for the holder's own name gives any account, because a user's author chooses the name. */
function mayGive(own: Shells, given: Shells): boolean {
  return covers(own, given) && (own.logins.includes(any) || !given.logins.includes(ownName));
}

function covers(one: Shells, other: Shells): boolean {
  const hasLogins = one.logins.includes(any) || other.logins.every((login) => one.logins.includes(login));
  const isEverywhere = one.labels[any]?.includes(any) === true && Object.keys(one.labels).length === 1;
  return hasLogins && (isEverywhere || JSON.stringify(one.labels) === JSON.stringify(other.labels));
}
