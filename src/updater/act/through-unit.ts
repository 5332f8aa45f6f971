import { setTimeout as pause } from "node:timers/promises";
import { Fault } from "../../rules/fault/fault.ts";
import { errnoWords } from "../../machine/files/errno.ts";
import type { ActingSide, Notifier } from "../pass/ports.ts";
import { build } from "../../rules/decide/gate-facts.ts";
import { agentCondition } from "../plan/host-facts.ts";
import { keptPackage, mostEvidence, type AgentRecord } from "../record/state.ts";
import { count, kinds, listOf, nothing, text, truth, words, type Shape } from "../../rules/shape/shape.ts";
import type { Conversation } from "../socket/conversation.ts";
import { Lost } from "../socket/lost.ts";
import { askWithin, type SocketPatience } from "../socket/ask-with-deadline.ts";
import { stoppedWaiting, type Await } from "../unit/await-transaction.ts";
import { transactionTimeoutMs } from "../unit/transaction.ts";
import { packageVersion } from "../../rules/version/wrapped.ts";
import { decodeReply, faultOf, longestReplyBytes } from "./reply.ts";
import { encodeRequest, type ActRequest } from "./request.ts";
import type { RepositoryAnswers } from "./package-acts.ts";
import { watchThrough, type UnitActs } from "./watch-through.ts";

/** The acting unit, as a pass uses it. */
export type ThroughUnit = {
  readonly path: string;
  /** Makes the first request of each connection. */
  readonly begin: () => Extract<ActRequest, { kind: "begin" }>;
  /** What the last pass saw of the agent's unit. */
  readonly seen: () => AgentRecord | undefined;
  readonly stopping: AbortSignal;
};

/** The acting unit also answers these questions: root can ask systemd without a message bus. */
export type ActingUnit = ActingSide &
  RepositoryAnswers &
  Pick<UnitActs, "condition" | "restarts"> & {
    readonly isGoingDown: () => Promise<boolean>;
    readonly notifier: Notifier;
    /** Ends the connection, so that others can connect. */
    readonly end: () => void;
  };

/** How long to wait for an earlier pass's call that is still running there. */
const patienceMs = 15_000;
const minuteMs = 60_000;
/** Tries again: a process that was asked to stop takes no more requests, but the next one does. */
const mostTries = 5;
const betweenTriesMs = 200;
const betweenOpeningsMs = 500;

/** No repository keeps so many versions of one package. */
const mostOffers = 10_000;

const told: Shape<string> = text(1000);
/** More than the notifications that may wait. */
const mostEnds = 100;
const notificationEnd = kinds({
  delivered: { id: text(64) },
  running: { id: text(64) },
  unknown: { id: text(64) },
  failed: { id: text(64), why: text(1000) },
});

/**
 * Acts through svc-upgrade-act.service, over one connection as long as it lasts. If the connection is lost during a call, this reports nothing about
 * the call until its transaction has ended.
 */
export function actThroughUnit({ path, begin, seen, stopping }: ThroughUnit): ActingUnit {
  let current: Conversation | undefined;

  async function conversation(patience: SocketPatience): Promise<Conversation> {
    if (current !== undefined && !current.isOver()) return current;
    for (let tries = 1; ; tries += 1) {
      const opened = await open(path);
      try {
        take(await within(opened, encodeRequest(begin()), patience), nothing);
        current = opened;
        return opened;
      } catch (thrown) {
        opened.end();
        if (!(thrown instanceof Lost) || tries === mostTries) throw thrown instanceof Lost ? neverServed() : thrown;
      }
      await pause(betweenTriesMs);
    }
  }

  async function call<T>(request: ActRequest, value: Shape<T>, patience: SocketPatience = { ms: patienceMs }): Promise<T> {
    const asked = await conversation(patience);
    let line: string;
    try {
      line = await (patience.stopping === undefined
        ? asked.ask(encodeRequest(request))
        : within(asked, encodeRequest(request), patience));
    } catch (thrown) {
      if (!(thrown instanceof Lost)) throw thrown;
      if (request.kind !== "await-transaction") await awaitTransaction("to-its-end");
      throw lost(request);
    }
    return take(line, value);
  }

  async function awaitTransaction(how: Await): Promise<void> {
    const patience = {
      ms: how === "a-minute" ? minuteMs : transactionTimeoutMs,
      ...(how === "until-stopped" ? { stopping } : {}),
    };
    try {
      await call({ kind: "await-transaction", how }, nothing, patience);
    } catch (thrown) {
      // The transaction stops nobody, as long as nothing is to be changed.
      if (how === "a-minute" && thrown instanceof Fault && thrown.code === "busy") return;
      throw thrown;
    }
  }

  const unit: UnitActs = {
    condition: (agent) => call({ kind: "condition", seen: agent }, agentCondition),
    look: (agent) => call({ kind: "look", seen: agent }, agentCondition),
    activate: ({ before, since, begunBy }) => call({ kind: "activate", before, since, begunBy }, told),
    proveHealth: (before) => call({ kind: "prove-health", before }, nothing),
    restarts: () => call({ kind: "restarts" }, count),
    // Returns nothing on failure, because the lines only add detail to a fault.
    lastLines: (since) => call({ kind: "last-lines", since }, listOf(told, mostEvidence)).catch(() => []),
  };

  return {
    refresh: () => call({ kind: "refresh" }, nothing),
    simulate: (to) => call({ kind: "simulate", to }, nothing),
    bring: (to) => call({ kind: "bring", to }, nothing),
    keep: ({ version, is, to }) => call({ kind: "keep", version, is, to }, keptPackage),
    keepOnly: (versions) => call({ kind: "keep-only", versions }, nothing),
    install: ({ to, from, why }) => call({ kind: "install", to, from, why }, nothing),
    holdAgain: () => call({ kind: "hold-again" }, nothing),
    mend: () => call({ kind: "mend" }, nothing),
    offers: () => call({ kind: "offers" }, listOf(packageVersion, mostOffers)),
    buildOf: (version) => call({ kind: "build-of", version }, build),
    settle: () => call({ kind: "settle" }, nothing),
    awaitTransaction,
    watchUnit: (begun) => watchThrough(unit, seen(), begun),
    condition: unit.condition,
    restarts: unit.restarts,
    isGoingDown: () => call({ kind: "going-down" }, truth),
    notifier: {
      start: (event) => call({ kind: "notify", event }, words({ started: 0, busy: 0, "not set": 0 })),
      ends: (ids) => call({ kind: "notified", ids }, listOf(notificationEnd, mostEnds)),
    },
    end: () => current?.end(),
  };
}

async function open(path: string): Promise<Conversation> {
  const { openConversation } = await import("../socket/conversation.ts");
  const openNow = (): Promise<Conversation> => openConversation({ path, longestAnswerBytes: longestReplyBytes });
  try {
    // Tries again, because an upgrade of svc-upgrade opens the socket again.
    return await openNow().catch(() => pause(betweenOpeningsMs).then(openNow));
  } catch (thrown) {
    throw new Fault("os-failed", {
      message: `svc-upgrade-act.socket does not listen at ${path}: ${errnoWords(thrown)}`,
      hint: "see why: `systemctl status svc-upgrade-act.socket`; if it is masked: `sudo systemctl unmask svc-upgrade-act.socket`, then `sudo systemctl start svc-upgrade-act.socket`",
      cause: thrown,
    });
  }
}

/** Asks, and gives up at the deadline or when asked to stop. */
async function within(conversation: Conversation, line: string, patience: SocketPatience): Promise<string> {
  const end = await askWithin(conversation, line, patience);
  if (end.kind === "answered") return end.line;
  throw end.kind === "stopped" ? stoppedWaiting() : busy(patience.ms);
}

function take<T>(line: string, value: Shape<T>): T {
  const decoded = decodeReply(line, value);
  if (decoded.kind === "unreadable") {
    throw new Fault("hand-over-invalid", {
      message: `svc-upgrade-act.service gave an answer that cannot be used: ${decoded.why}`,
      hint: "look at what it said: `journalctl -u svc-upgrade-act`",
    });
  }
  if (decoded.value.kind === "fault") throw faultOf(decoded.value);
  return decoded.value.value;
}

function busy(ms: number): Fault {
  return new Fault("busy", {
    message: `svc-upgrade-act.service is still at work for an earlier pass after ${Math.round(ms / 1000)} seconds`,
    hint: "follow it: `journalctl -fu svc-upgrade-act`",
  });
}

function neverServed(): Fault {
  return new Fault("os-failed", {
    message: "svc-upgrade-act.service ends without taking anything up",
    hint: "see why: `systemctl status svc-upgrade-act.service`",
  });
}

function lost({ kind }: ActRequest): Fault {
  return new Fault("interrupted", {
    message: `svc-upgrade-act.service was ended in the middle of "${kind}"`,
    hint: "look into the system's journal for who ended it; the next pass goes on from here",
  });
}
