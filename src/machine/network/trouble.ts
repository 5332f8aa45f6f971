/** An error of Node's network modules. */
export type NetworkError = Error & { readonly code?: string; readonly address?: string; readonly port?: number };

export type Trouble = { readonly words: string; readonly hint: string };

const routing = (): string => "check this host's network with `ip route` and its firewall";
const forbidding = (): string =>
  "check this host's firewall, and whether something narrows the sandbox: `systemctl cat svc-upgrade-ask.service`";

const troubles: Readonly<Record<string, { readonly words: (name: string) => string; readonly hint: (name: string) => string }>> =
  {
    ENOTFOUND: { words: (name) => `no name server knows the name ${name}`, hint: resolving },
    EAI_AGAIN: { words: (name) => `no name server answers for the name ${name} at present`, hint: resolving },
    EAI_FAIL: { words: (name) => `the name server fails for the name ${name}`, hint: resolving },
    ECONNREFUSED: {
      words: () => "the connection is refused",
      hint: (name) => `check that the service on ${name} is up and the port is right`,
    },
    ECONNRESET: {
      words: () => "the connection was closed before the answer was complete",
      hint: (name) => `look at the log of ${name}`,
    },
    EPIPE: {
      words: () => "the connection was closed before the question was sent",
      hint: (name) => `look at the log of ${name}`,
    },
    ETIMEDOUT: { words: () => "the connection timed out", hint: () => "check that no firewall drops the packets" },
    ENETUNREACH: { words: () => "there is no way into that network", hint: routing },
    EHOSTUNREACH: { words: () => "there is no way to that host", hint: routing },
    ENETDOWN: { words: () => "the network is down", hint: routing },
    EADDRNOTAVAIL: { words: () => "this host has no address for that network", hint: routing },
    EACCES: {
      words: () => "this host forbids the connection",
      hint: forbidding,
    },
    EPERM: {
      words: () => "this host forbids the connection",
      hint: forbidding,
    },
  };

/**
 * Whether it is a network failure: sockets, parsers and resolvers throw a plain Error, or several in one. Every other kind is a fault in a program.
 */
export function isNetworkFailure(error: unknown): error is NetworkError {
  if (!(error instanceof Error)) return false;
  return error.constructor.name === "Error" || error.constructor.name.endsWith("AggregateError") || "syscall" in error;
}

/** The command to type if a name does not resolve. */
export function resolving(name: string): string {
  return `check the name with \`getent ahosts ${name}\``;
}

/** Why a connection failed, for each of the host's addresses. */
export function connectionTrouble(error: NetworkError, name: string): Trouble {
  const attempts = error instanceof AggregateError ? (error.errors as readonly NetworkError[]) : [error];
  const words = attempts.slice(0, mostAttempts).map((attempt) => attemptWords(attempt, name));
  const code = attempts[0]?.code ?? "";
  return { words: [...new Set(words)].join(", "), hint: troubles[code]?.hint(name) ?? routing() };
}

/** A name may have dozens of addresses; a few are enough. */
const mostAttempts = 4;

function attemptWords(attempt: NetworkError, name: string): string {
  const code = attempt.code ?? "no code";
  const words = troubles[code]?.words(name) ?? "the connection failed";
  return attempt.address === undefined ? `${words} (${code})` : `${words} (${attempt.address}:${attempt.port}, ${code})`;
}
