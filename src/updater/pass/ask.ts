import { setTimeout as pause } from "node:timers/promises";
import { faultData } from "../../rules/fault/explain.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { errnoWords } from "../../machine/files/errno.ts";
import type { ChannelAnswer } from "../../rules/decide/gate-facts.ts";
import { decodeAnswer, encodeRequest, longestAnswerBytes, type AskRequest } from "../record/hand-over.ts";
import type { Reading } from "../../rules/shape/read.ts";
import type { ProxyVariables } from "../../rules/route/route.ts";
import type { Conversation } from "../socket/conversation.ts";
import type { EarlyConversation } from "../socket/early.ts";
import { Lost, SaidTooMuch } from "../socket/lost.ts";
import { askWithin } from "../socket/ask-with-deadline.ts";
import { askingSocket } from "../unit/own-units.ts";
import type { UnitControl } from "../unit/systemctl.ts";
import type { Version } from "../../rules/version/version.ts";

/** How callers reach the asking unit, which may use the network but has no other rights. */
export type AskingUnit = {
  readonly path: string;
  readonly proxies: ProxyVariables;
  /** A connection opened before the question was known, so that the unit could start meanwhile. */
  readonly early?: EarlyConversation;
  /** How long to wait for the answer. The default is longer than the unit's own time limit. */
  readonly patienceMs?: number;
  /** Makes systemd listen, for a caller outside a pass: systemd starts the socket only with the deciding unit. */
  readonly bringUp?: () => Promise<void>;
};

export type AnswerForm<T> = { readonly decode: (line: string) => Reading<T>; readonly longestBytes: number };

type Question = Omit<AskRequest, "purpose" | "installed" | "proxies">;

/** systemd ends the unit after three minutes. */
const usualPatienceMs = 240_000;
/** Waits until the unit's first process has ended: a client that connects earlier is turned away. */
const betweenTriesMs = 500;

export function askThroughUnit(
  question: Question,
  unit: AskingUnit,
): (installed: Promise<Version | undefined>) => Promise<ChannelAnswer> {
  return async (installing) => {
    const request = { ...question, purpose: "answer", installed: await installing, proxies: unit.proxies } as const;
    try {
      return (await put(request, unit, { decode: decodeAnswer, longestBytes: longestAnswerBytes })).answer;
    } catch (thrown) {
      // Makes any failure of the asking unit an answer, because the deciding unit must still recover, explain and record.
      if (thrown instanceof Fault) return { kind: "fault", fault: faultData(thrown) };
      throw thrown;
    }
  };
}

/** Asks the unit one question, and asks again if the unit was ended or its answer was invalid. */
export async function put<T extends Pick<AskRequest, "pass">>(
  request: AskRequest,
  unit: AskingUnit,
  form: AnswerForm<T>,
): Promise<T> {
  await unit.bringUp?.();
  const first = await putOnce(request, unit, form);
  if (first.kind === "answered") return first.answer;
  if (!first.mayHelp) throw first.fault;
  await pause(betweenTriesMs);
  const second = await putOnce(request, unit, form);
  if (second.kind === "answered") return second.answer;
  throw second.fault;
}

type Put<T> =
  | { readonly kind: "answered"; readonly answer: T }
  | { readonly kind: "failed"; readonly fault: Fault; readonly mayHelp: boolean };

async function putOnce<T extends Pick<AskRequest, "pass">>(
  request: AskRequest,
  unit: AskingUnit,
  form: AnswerForm<T>,
): Promise<Put<T>> {
  const { path, early, patienceMs = usualPatienceMs } = unit;
  const { openConversation } = await import("../socket/conversation.ts");
  let conversation: Conversation;
  try {
    conversation = (await early?.take()) ?? (await openConversation({ path, longestAnswerBytes: form.longestBytes }));
  } catch (thrown) {
    return again(notListening(path, thrown));
  }
  try {
    const end = await askWithin(conversation, encodeRequest(request), { ms: patienceMs });
    if (end.kind !== "answered") return { kind: "failed", fault: tooSlow(patienceMs), mayHelp: false };
    return judge(end.line, request.pass, form);
  } catch (thrown) {
    if (thrown instanceof SaidTooMuch) return again(invalid(thrown.message));
    if (thrown instanceof Lost) return again(notAnswered());
    throw thrown;
  } finally {
    conversation.end();
  }
}

/** Reads the unit's answer with distrust, because the unit has been on the network. */
function judge<T extends Pick<AskRequest, "pass">>(line: string, pass: string, { decode, longestBytes }: AnswerForm<T>): Put<T> {
  if (Buffer.byteLength(line) > longestBytes) return again(invalid(`it is longer than ${longestBytes} bytes`));
  const decoded = decode(line);
  if (decoded.kind === "unreadable") return again(invalid(decoded.why));
  const answer = decoded.value;
  return answer.pass === pass ? { kind: "answered", answer } : again(invalid(`it answers the pass ${answer.pass}, not ${pass}`));
}

/** Has systemd listen for the unit, if it does not yet. */
export async function bringUp(control: Pick<UnitControl, "change">): Promise<void> {
  const complaint = await control.change("start", askingSocket);
  if (complaint === undefined) return;
  throw new Fault("ask-failed", { message: `${askingSocket} could not be started: ${complaint}`, hint: seeToUnits });
}

const seeToUnits =
  "see why: `systemctl status svc-upgrade-ask.socket svc-upgrade-ask.service`; if one of them is masked: `sudo systemctl unmask svc-upgrade-ask.socket svc-upgrade-ask.service`, then `sudo systemctl start svc-upgrade-ask.socket`";

function again(fault: Fault): Extract<Put<never>, { kind: "failed" }> {
  return { kind: "failed", fault, mayHelp: true };
}

function notListening(path: string, thrown: unknown): Fault {
  return new Fault("ask-failed", {
    message: `svc-upgrade-ask.socket does not listen at ${path}: ${errnoWords(thrown)}`,
    hint: seeToUnits,
    cause: thrown,
  });
}

const seeJournal = "look at what it said: `journalctl -u svc-upgrade-ask`";

function notAnswered(): Fault {
  return new Fault("ask-failed", { message: "svc-upgrade-ask.service ended without an answer", hint: seeJournal });
}

function tooSlow(patienceMs: number): Fault {
  return new Fault("ask-failed", {
    message: `svc-upgrade-ask.service gave no answer within ${patienceMs / 1000} seconds`,
    hint: seeJournal,
  });
}

function invalid(why: string): Fault {
  return new Fault("hand-over-invalid", {
    message: `svc-upgrade-ask.service gave an answer that cannot be used: ${why}`,
    hint: seeJournal,
  });
}
