import { naiveChannelName } from "./channel.ts";
import { isPlain, naiveEndpoint } from "./settings.ts";
import { isSpace, naivePackageVersion, naiveVersion } from "./version.ts";

/** What is no value of a shape. A symbol, because undefined may be one. */
const wrong: unique symbol = Symbol("wrong");

type Shape = (raw: unknown) => unknown;

/** The decoded text, or undefined where the grammar forbids it. */
function decode(text: string, shape: Shape): unknown {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return undefined;
  }
  const value = shape(raw);
  return value === wrong ? undefined : value;
}

export function naiveRequest(text: string): unknown {
  return decode(text, request);
}

export function naiveAnswer(text: string): unknown {
  return decode(text, answer);
}

export function naiveProbe(text: string): unknown {
  return decode(text, probe);
}

export function naiveAsked(text: string): unknown {
  return decode(text, asked);
}

export function naiveState(text: string): unknown {
  return decode(text, state);
}

export function naiveNotifications(text: string): unknown {
  return decode(text, notifications);
}

/** What is longer is not even looked at. */
export function naiveEvent(text: string): unknown {
  return new TextEncoder().encode(text).length > 10_240 ? undefined : decode(text, event);
}

export function naiveHistory(text: string): unknown {
  return decode(text, history);
}

type Fields = Readonly<Record<string, Shape>>;

/** These keys, whatever else is there. */
function these(fields: Fields): Shape {
  return (raw) => {
    if (!isPlain(raw)) return wrong;
    const pairs = Object.entries(fields).map(
      ([key, shape]) => [key, shape(Object.hasOwn(raw, key) ? raw[key] : undefined)] as const,
    );
    return pairs.some(([, value]) => value === wrong) ? wrong : Object.fromEntries(pairs);
  };
}

function either(...shapes: readonly Shape[]): Shape {
  return (raw) => shapes.map((shape) => shape(raw)).find((value) => value !== wrong) ?? wrong;
}

function when(holds: (raw: unknown) => boolean): Shape {
  return (raw) => (holds(raw) ? raw : wrong);
}

function word(...words: readonly string[]): Shape {
  return when((raw) => typeof raw === "string" && words.includes(raw));
}

/** A word of what is past: one of a later release is read as something that is known. */
function past(instead: string, ...words: readonly string[]): Shape {
  return (raw) => (isWord(raw) ? (words.includes(raw) ? raw : instead) : wrong);
}

/** The same of a whole record: by its kind, or as the first that it can be read as. */
function pastKind(kinds: Readonly<Record<string, Shape>>, ...instead: readonly Shape[]): Shape {
  return (raw) => {
    if (!isPlain(raw) || !isWord(raw["kind"])) return wrong;
    const known = Object.hasOwn(kinds, raw["kind"]) ? kinds[raw["kind"]] : undefined;
    return known === undefined ? either(...instead)(raw) : known(raw);
  };
}

function isWord(raw: unknown): raw is string {
  return typeof raw === "string" && raw.length >= 1 && raw.length <= 64;
}

function always(value: unknown): Shape {
  return () => value;
}

function parsedText(parse: (found: string) => string | undefined): Shape {
  return (raw) => (typeof raw === "string" ? (parse(raw) ?? wrong) : wrong);
}

function maybe(shape: Shape): Shape {
  return (raw) => (raw === undefined ? undefined : shape(raw));
}

/** A key that an older version did not write. */
function otherwise(value: unknown, shape: Shape): Shape {
  return (raw) => (raw === undefined ? value : shape(raw));
}

function without(keys: readonly string[], fields: Fields): Shape {
  return (raw) => {
    const value = these(fields)(raw);
    if (value === wrong) return wrong;
    return Object.fromEntries(
      Object.entries(value as object).filter(([name, inner]) => !keys.includes(name) || inner !== undefined),
    );
  };
}

/** A key without a value is none. */
function wholly(shape: Shape): Shape {
  return (raw) => {
    const value = shape(raw);
    return value === wrong
      ? wrong
      : Object.fromEntries(Object.entries(value as object).filter(([, inner]) => inner !== undefined));
  };
}

function list(shape: Shape, most: number): Shape {
  return (raw) => {
    if (!Array.isArray(raw) || raw.length > most) return wrong;
    const values = raw.map(shape);
    return values.includes(wrong) ? wrong : values;
  };
}

function pair(shape: Shape): Shape {
  const two = list(shape, 2);
  return (raw) => (Array.isArray(raw) && raw.length === 2 ? two(raw) : wrong);
}

const upTo = (longest: number): Shape => when((raw) => typeof raw === "string" && raw.length <= longest);
const number: Shape = when((raw) => Number.isFinite(raw));
const count: Shape = when((raw) => Number.isSafeInteger(raw) && (raw as number) >= 0);
const truth: Shape = when((raw) => raw === true || raw === false);
const version: Shape = parsedText(naiveVersion);
/** Two whole numbers without idle noughts, of fifteen digits at most. */
const decisionNumber: Shape = when((raw) => {
  const parts = typeof raw === "string" ? raw.split(".") : [];
  return (
    parts.length === 2 &&
    parts.every((part) => part.length <= 15 && part === String(Number(part)) && !/\D/.test(part) && part !== "")
  );
});
const packageVersion: Shape = parsedText(naivePackageVersion);
const name: Shape = upTo(513);
const digest: Shape = when((raw) => typeof raw === "string" && raw.length === 64 && !/[^0-9a-f]/.test(raw));
const sentence: Shape = upTo(1001);

const passId: Shape = when((raw) => typeof raw === "string" && raw.length >= 1 && raw.length <= 64 && !/[^A-Za-z0-9-]/.test(raw));

const proxyVariable: Shape = maybe(upTo(65_536));

const request: Shape = these({
  pass: passId,
  purpose: word("answer", "probe"),
  // The other half wrote it as it had read it, so only the one spelling that it would have can be right.
  endpoint: when((raw) => typeof raw === "string" && raw.length <= 1024 && naiveEndpoint(raw) === raw),
  channel: parsedText(naiveChannelName),
  caFile: maybe(when((raw) => typeof raw === "string" && raw[0] === "/" && raw.length <= 1024 && !raw.includes("\0"))),
  allowPlainHttp: truth,
  installed: maybe(version),
  proxies: these({
    HTTPS_PROXY: proxyVariable,
    HTTP_PROXY: proxyVariable,
    NO_PROXY: proxyVariable,
    https_proxy: proxyVariable,
    http_proxy: proxyVariable,
    no_proxy: proxyVariable,
    setIn: maybe(when((raw) => typeof raw === "string" && raw.length <= 1024)),
  }),
});

const codes = `
  usage answer-invalid redirect-refused hand-over-invalid channel-unknown channel-refused tls-untrusted proxy-refused
  contact-lost package-absent package-unreadable manager-unclear plan-refused package-untrusted package-mislabelled database-broken
  state-unreadable os-failed state-unwritable file-failed busy channel-unreachable channel-failing proxy-unreachable
  ask-failed proxies-unread not-offered refresh-failed download-failed manager-busy no-space read-only stopping overtaken interrupted not-kept not-permitted
  settings-invalid settings-untrusted path-untrusted mount-untrusted endpoint-missing proxy-invalid trust-store-missing ca-file-unusable
  host-unsupported install-failed verify-failed activate-failed unhealthy way-back-failed no-way-back unhealthy-host bug
`
  .trim()
  .split(/\s+/);

/** A stranger's words on one printable line: signs that cannot be printed become one blank, and the rest is cut. */
function printable(longest: number): Shape {
  return (raw) => {
    if (typeof raw !== "string" || raw.length > 2 * longest + 1) return wrong;
    let line = "";
    let isGap = false;
    for (const sign of raw) {
      const isPrintable = !/[\p{C}\p{Zl}\p{Zp}]/u.test(sign);
      if (isPrintable) line += sign;
      else if (!isGap) line += " ";
      isGap = !isPrintable;
    }
    let signs = Array.from(line);
    while (signs.length > 0 && isSpace(signs[0]!)) signs = signs.slice(1);
    while (signs.length > 0 && isSpace(signs.at(-1)!)) signs = signs.slice(0, -1);
    return signs.length > longest ? `${signs.slice(0, longest).join("")}…` : signs.join("");
  };
}

const faultFields: Fields = {
  code: word(...codes),
  message: printable(800),
  hint: printable(300),
  causes: list(printable(300), 3),
};

const served: Shape = either(these({ kind: word("none") }), these({ kind: word("version"), version }));

/** Whatever doubt a later release has, it is one. */
function doubtOf(named: Shape): Shape {
  const kinds = {
    unnamed: these({ kind: always("unnamed") }),
    disagreeing: these({ kind: always("disagreeing") }),
    another: these({ kind: always("another"), named }),
  };
  return pastKind(kinds, always({ kind: "disagreeing" }));
}

const channelAnswer: Shape = either(
  wholly(
    these({
      kind: word("served"),
      served,
      isCritical: truth,
      doubt: maybe(doubtOf(served)),
      decision: maybe(decisionNumber),
      channels: maybe(digest),
    }),
  ),
  these({ kind: word("fault"), fault: these(faultFields) }),
);
const answer: Shape = these({ pass: passId, answer: channelAnswer });

const checkFields: Fields = {
  name: word("route", "proxy", "dns", "tls", "channel", "answer"),
  verdict: word("ok", "warning", "failed", "skipped"),
  told: printable(800),
};
/** Where there is nothing to fix, the key is missing in what is read, too. */
const check: Shape = wholly(these({ ...checkFields, fix: maybe(printable(500)) }));
const hops = ["route", "proxy", "dns", "tls", "channel", "answer"];
const isOfLaterHop = (row: unknown): boolean => {
  const hop = typeof row === "object" && row !== null ? (row as { readonly name?: unknown }).name : undefined;
  return typeof hop === "string" && !hops.includes(hop);
};
const checks: Shape = (raw) => {
  const read = list(check, 6)(Array.isArray(raw) ? raw.filter((row) => !isOfLaterHop(row)) : raw);
  if (read === wrong) return wrong;
  const told = (read as readonly { readonly name: string }[]).map(({ name: hop }) => hop).join(" ");
  return told === "route proxy dns tls channel answer" ? read : wrong;
};
const probe: Shape = these({ pass: passId, checks, answer: channelAnswer });

/** Of a file: its number is for the reader alone. */
function numbered(fields: Fields): Shape {
  const schema = these({ schema: when((raw) => raw === 1) });
  return (raw) => (schema(raw) === wrong ? wrong : these(fields)(raw));
}

const asked: Shape = numbered({
  at: number,
  asked: these({ when: word("timer", "now", "back"), absent: word("stop", "install") }),
  pass: maybe(upTo(64)),
});

const stayWords = `
  no-version current pinned needs-operator held package-held rejected backing-off downgrade-refused major-refused alternating never clock
  blackout window-too-short outside-window schedule-missing schedule-empty schedule-invalid schedule-stale
`
  .trim()
  .split(/\s+/);
const stepWords = `
  refresh offer simulate keep install verify activate health back-install back-verify back-activate back-health
`
  .trim()
  .split(/\s+/);
const stepName = word(...stepWords);
const moveWords = ["asked", "rollback", "critical", "window", "rescue", "anytime"];
const moveReason = word(...moveWords);
const pastStep = past("install", ...stepWords);
const fault: Shape = these({ ...faultFields, code: past("os-failed", ...codes) });

const stay: Shape = wholly(
  these({ kind: word("stay"), why: past("held", ...stayWords), told: sentence, until: maybe(number), lift: maybe(sentence) }),
);

const install = { kind: always("install"), to: version };
const moveBetween = these({ kind: word("upgrade", "downgrade"), from: version, to: version });
const movement: Shape = pastKind(
  {
    install: these(install),
    upgrade: moveBetween,
    downgrade: moveBetween,
    repair: these({ kind: word("repair"), from: maybe(version), to: version, why: sentence }),
  },
  these(install),
);

const stop: Shape = these({ kind: always("stop"), fault });
const decision: Shape = pastKind(
  {
    stay,
    move: wholly(
      these({
        kind: word("move"),
        why: past("asked", ...moveWords),
        told: sentence,
        target: movement,
        until: maybe(number),
        exactly: maybe(packageVersion),
      }),
    ),
    stop,
  },
  stop,
  always({ kind: "stay", why: "held", told: "a later release of svc-upgrade decided this" }),
);

const cause: Fields = { step: pastStep, fault, evidence: otherwise([], list(name, 5)) };
const back: Shape = pastKind(
  {
    "not-tried": these({ kind: word("not-tried"), why: sentence }),
    failed: these({ kind: word("failed"), step: pastStep, fault }),
  },
  always({ kind: "not-tried", why: "a later release of svc-upgrade knows why" }),
);

const stopped: Shape = these({ kind: always("stopped"), fault });
const outcome: Shape = pastKind(
  {
    stayed: these({ kind: word("stayed") }),
    moved: these({ kind: word("moved"), from: maybe(name), to: name, seconds: number }),
    stopped,
    failed: these({ kind: word("failed"), back: maybe(back), ...cause }),
    undone: these({ kind: word("undone"), left: name, to: name, seconds: number, ...cause }),
  },
  stopped,
  always({ kind: "stayed" }),
);

const recovered: Shape = these({
  step: pastStep,
  served: version,
  ended: past("finished", "unchanged", "finished", "undone", "not-mended"),
});

const clock = these({ now: number, sinceBootSeconds: number, bootId: name });
const times = otherwise([], list(these({ step: pastStep, ms: number }), 20));
/** What was pinned, and why the server gave no answer, have no key without a value. */
const pass: Shape = without(["pin", "unanswered"], {
  id: name,
  startedAt: number,
  seconds: number,
  installed: maybe(name),
  served: maybe(name),
  channel: maybe(name),
  pin: maybe(version),
  decision,
  outcome,
  steps: times,
  recovered: maybe(recovered),
  unanswered: maybe(fault),
});

const nothingHeard = {
  channel: undefined,
  versions: [],
  decision: undefined,
  alternation: undefined,
  disagreedAt: undefined,
  agreed: undefined,
};
const heard: Shape = these({
  channel: maybe(parsedText(naiveChannelName)),
  versions: list(
    these({ version, since: number, until: number, came: past("new", "new", "decided", "back"), before: maybe(version) }),
    8,
  ),
  decision: maybe(these({ number: decisionNumber, at: number })),
  alternation: maybe(these({ at: number, between: pair(version) })),
  disagreedAt: maybe(number),
  agreed: maybe(these({ version, passes: count })),
});

const stateFields: Fields = {
  needsOperator: maybe(these({ at: number, why: sentence })),
  rejected: list(
    wholly(
      these({
        served: version,
        packageVersion,
        build: maybe(these({ sha256: maybe(name), bytes: maybe(count) })),
        at: number,
        why: sentence,
      }),
    ),
    10,
  ),
  backoff: maybe(these({ served: version, cause: fault, failures: count, until: number })),
  rescuedFor: maybe(version),
  repair: maybe(these({ to: version, attempts: count, isNowhere: otherwise(false, truth) })),
  cutOffs: maybe(these({ to: version, attempts: count })),
  agent: maybe(these({ bootId: name, restarts: count, unhealthyPasses: count })),
  lastContact: maybe(
    wholly(these({ at: number, served: either(word("none"), version), isCritical: truth, doubt: maybe(doubtOf(served)) })),
  ),
  channels: otherwise([], list(these({ digest, since: number, until: number }), 3)),
  heard: otherwise(nothingHeard, heard),
  silentSince: maybe(number),
  searchedAt: maybe(number),
  previous: maybe(without(["isPinLed"], { version, packageVersion, leftAt: number, isPinLed: maybe(truth) })),
  kept: otherwise([], list(these({ packageVersion, file: name, sha256: name, bytes: count }), 2)),
  heldUntil: maybe(number),
  noSchedule: maybe(name),
  recovered: maybe(recovered),
  clock: maybe(clock),
  doubtedClock: maybe(clock),
  told: maybe(these({ passes: list(name, 10), operator: maybe(name), silent: maybe(number), failed: maybe(name) })),
  lastSuccessAt: maybe(number),
  moveSeconds: list(number, 5),
  passes: list(pass, 10),
  step: maybe(
    without(["channel"], {
      pass: name,
      step: stepName,
      movement: otherwise("upgrade", word("install", "upgrade", "downgrade", "repair")),
      why: otherwise("window", moveReason),
      startedAt: number,
      served: version,
      channel: maybe(name),
      from: maybe(packageVersion),
      to: maybe(packageVersion),
      agentBefore: maybe(word("running", "unhealthy", "stopped", "unknown")),
      changingSince: maybe(number),
      hold: otherwise("none", word("none", "lifted")),
      cause: maybe(these({ ...cause, step: stepName, fault: these(faultFields) })),
      recoveries: otherwise(0, count),
      done: times,
    }),
  ),
};

const state: Shape = numbered(stateFields);

const repeated: Fields = { count: otherwise(1, count), firstAt: maybe(number) };
const other: Fields = { kind: always("other"), at: number };
const history: Shape = numbered({
  entries: list(
    pastKind(
      {
        move: these({
          kind: word("move"),
          id: name,
          at: number,
          seconds: maybe(number),
          channel: maybe(name),
          movement: past("upgrade", "install", "upgrade", "downgrade", "repair"),
          why: past("asked", ...moveWords),
          from: maybe(name),
          version,
          to: maybe(name),
          outcome,
          recovered: maybe(
            without(["fault"], {
              pass: name,
              at: number,
              step: pastStep,
              ended: past("finished", "unchanged", "finished", "undone", "not-mended"),
              fault: maybe(fault),
            }),
          ),
          ...repeated,
        }),
        "notice-lost": these({ kind: word("notice-lost"), at: number, event: name, why: sentence, ...repeated }),
        other: these(other),
      },
      these(other),
      always({ kind: "other", at: 0 }),
    ),
    500,
  ),
});

const eventFault = these({ code: word(...codes), message: printable(400), hint: printable(400) });
const event: Shape = these({
  id: when((raw) => typeof raw === "string" && raw.length === 32 && !/[^0-9a-f]/.test(raw)),
  at: number,
  host: printable(64),
  kind: word("moved", "undone", "failed", "needs-operator", "contact-lost", "contact-regained", "test"),
  told: printable(400),
  next: maybe(printable(400)),
  package: printable(128),
  channel: maybe(printable(128)),
  move: maybe(
    these({
      kind: word("install", "upgrade", "downgrade", "repair"),
      why: maybe(moveReason),
      from: maybe(printable(128)),
      to: printable(128),
      seconds: maybe(number),
    }),
  ),
  fault: maybe(eventFault),
});
const notifications: Shape = numbered({
  waiting: list(these({ event, tries: count, isUnderWay: truth, failure: maybe(printable(300)) }), 20),
});
