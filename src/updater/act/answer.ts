import { asFault } from "../../rules/fault/explain.ts";
import { Fault } from "../../rules/fault/fault.ts";
import type { Log } from "../../machine/logging/log.ts";
import { tellBug } from "../pass/carry-out.ts";
import type { Notifier } from "../pass/ports.ts";
import type { ServingSocket } from "../socket/serve.ts";
import type { Await } from "../unit/await-transaction.ts";
import type { PackageActs } from "./package-acts.ts";
import { decodeRequest, type ActRequest } from "./request.ts";
import { encodeReply, faultReply, type Reply } from "./reply.ts";
import type { UnitActs } from "./watch-through.ts";

/** What requests need after root's settings were read. */
export type Begun = {
  readonly acting: PackageActs;
  readonly unit: UnitActs;
  readonly notifier: Notifier;
  readonly isGoingDown: () => Promise<boolean>;
  readonly awaitTransaction: (how: Await, gone: AbortSignal) => Promise<void>;
};

export type Begin = (begin: Extract<ActRequest, { kind: "begin" }>) => Promise<Begun>;

/** Answers one request after the other; a fault is an answer too. */
export function answerer(begin: Begin, log: Log): ServingSocket["answer"] {
  let begun: Begun | undefined;

  async function reply(line: string, gone: AbortSignal): Promise<unknown> {
    const decoded = decodeRequest(line);
    if (decoded.kind === "unreadable") throw invalid(`the request cannot be read: ${decoded.why}`);
    const request = decoded.value;
    if (request.kind === "begin") {
      begun = await begin(request);
      return undefined;
    }
    if (begun === undefined) throw invalid(`"${request.kind}" was asked before "begin"`);
    return carryOut(request, begun, gone);
  }

  return async (line, gone) => {
    let told: Reply;
    try {
      told = { kind: "done", value: await reply(line, gone) };
    } catch (thrown) {
      const fault = asFault(thrown);
      tellBug(fault, { log });
      told = faultReply(fault);
    }
    return encodeReply(told);
  };
}

function carryOut(request: Exclude<ActRequest, { kind: "begin" }>, begun: Begun, gone: AbortSignal): Promise<unknown> {
  const { acting, unit, notifier, isGoingDown, awaitTransaction } = begun;
  switch (request.kind) {
    case "refresh":
      return acting.refresh();
    case "simulate":
      return acting.simulate(request.to);
    case "bring":
      return acting.bring(request.to);
    case "keep":
      return acting.keep(request);
    case "keep-only":
      return acting.keepOnly(request.versions);
    case "install":
      return acting.install(request);
    case "hold-again":
      return acting.holdAgain();
    case "mend":
      return acting.mend();
    case "offers":
      return acting.offers();
    case "build-of":
      return acting.buildOf(request.version);
    case "settle":
      return acting.settle();
    case "going-down":
      return isGoingDown();
    case "await-transaction":
      return awaitTransaction(request.how, gone);
    case "condition":
      return unit.condition(request.seen);
    case "look":
      return unit.look(request.seen);
    case "restarts":
      return unit.restarts();
    case "activate":
      return unit.activate(request);
    case "prove-health":
      return unit.proveHealth(request.before);
    case "last-lines":
      return unit.lastLines(request.since);
    case "notify":
      return notifier.start(request.event);
    case "notified":
      return notifier.ends(request.ids);
  }
}

function invalid(why: string): Fault {
  return new Fault("hand-over-invalid", {
    message: `svc-upgrade-act.service cannot act: ${why}`,
    hint: "see whether both halves are of one release: restart the pass, `systemctl start svc-upgrade.service`",
  });
}
