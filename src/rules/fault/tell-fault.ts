import { clusterFaultTable, type ClusterFaultCode } from "./cluster-table.ts";
import { asFault, type Program } from "./explain.ts";
import { Fault, type AnyFaultCode, type Wrong } from "./fault.ts";
import { objectFaultTable } from "./object-table.ts";
import { faultTable } from "./table.ts";

/** What stopped a program, with a code of any table. */
export type ToldFault = {
  readonly code: AnyFaultCode;
  readonly exit: number;
  readonly message: string;
  readonly hint: string;
  readonly wrong: readonly Wrong[];
};

/** All tables as one, because no code is in two of them. */
const everyFault: Readonly<Record<AnyFaultCode, { readonly exit: number }>> = {
  ...faultTable,
  ...clusterFaultTable,
  ...objectFaultTable,
};

/** A token that was typed in the wrong place, whole or cut near its end. A pin is no secret. */
const secret = /(?<!sha256:[0-9a-f]*)[0-9a-f]{32,}…?/g;

export function tellFault(thrown: unknown, program: Program): ToldFault {
  const { code, message, hint, wrong } = asFault(thrown, program);
  const shown = message.replaceAll(secret, "(not shown: it may be a secret)");
  return { code, exit: everyFault[code].exit, message: shown, hint: withoutSecret(hint), wrong };
}

/** Replaces a token in a hint by FILE, so that the command can still be typed. */
export function withoutSecret(hint: string): string {
  return hint.replaceAll(secret, "FILE");
}

export function isClusterFault(thrown: unknown): thrown is Fault & { readonly code: ClusterFaultCode } {
  return thrown instanceof Fault && Object.hasOwn(clusterFaultTable, thrown.code);
}
