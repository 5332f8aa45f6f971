import { faultData } from "../fault/explain.ts";
import { Fault } from "../fault/fault.ts";
import type { Paths } from "../host/paths.ts";
import { removeFile } from "../host/remove-file.ts";
import { writeFileAtomically } from "../host/write-file.ts";
import type { ChannelAnswer } from "../plan/facts.ts";
import type { HandOverForm, Request } from "../record/hand-over.ts";
import type { ProxyVariables } from "../route/route.ts";
import { readAnswer, writeRequest } from "../store/hand-over.ts";
import { environmentFile } from "../settings/environment-file.ts";
import type { StartAsking } from "./start-asking.ts";
import type { Version } from "../version/version.ts";
import type { UnixSeconds } from "../window/window.ts";

export type AskingUnit = {
  readonly paths: Paths;
  readonly proxies: ProxyVariables;
  readonly start: StartAsking;
  readonly now: () => UnixSeconds;
};

type Question = Omit<Request, "purpose" | "form" | "installed">;

/** systemd's own range for users that exist only while their unit runs. */
const firstDynamicUser = 61_184;
const lastDynamicUser = 65_519;
/** systemd 257 maps such a user to nobody on disk; the directory lies where nobody else can reach it. */
const nobody = 65_534;

/** Asks through the unit that has the network and no rights: a request in a file, an answer in another. */
export function askThroughUnit(
  question: Question,
  unit: AskingUnit,
): (installed: Promise<Version | undefined>) => Promise<ChannelAnswer> {
  return async (installing) => {
    const installed = await installing;
    try {
      return await askTwice(async (form) => {
        await putTo(unit, { ...question, purpose: "answer", form, installed });
        return readAnswer(unit.paths.answer, { pass: question.pass, now: unit.now(), isOwner: isDynamicUser }).answer;
      });
    } catch (thrown) {
      // Whatever the asking half did, the deciding half must still recover, explain and record.
      if (thrown instanceof Fault) return { kind: "fault", fault: faultData(thrown) };
      throw thrown;
    }
  };
}

/**
 * Puts one question to the unit, and waits for its end. The request is for everyone to read; the proxies may hold passwords, and come
 * through a file of root's: whoever may write /etc/default/svc could make systemd wait that reads it.
 */
export async function putTo({ paths, proxies, start }: AskingUnit, request: Request): Promise<void> {
  writeRequest(paths.request, request);
  const given = Object.entries(proxies).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  writeFileAtomically(paths.proxies, environmentFile(Object.fromEntries(given)), {
    root: paths.root,
    mode: 0o600,
    fault: "file-failed",
  });
  try {
    const complaint = await start();
    if (complaint !== undefined) throw notAnswered(complaint);
  } finally {
    removeFile(paths.proxies, paths.root);
  }
}

/**
 * Once more, and in the form that every release understands, where the first try brought no answer to the question: the asking
 * half may be of an earlier release, which refuses what it does not know, or it had begun with an earlier question.
 */
export async function askTwice<T>(ask: (form: HandOverForm) => Promise<T>): Promise<T> {
  try {
    return await ask("open");
  } catch (thrown) {
    if (!(thrown instanceof Fault) || (thrown.code !== "ask-failed" && thrown.code !== "hand-over-invalid")) throw thrown;
    return ask("first");
  }
}

export function isDynamicUser(uid: number): boolean {
  return (uid >= firstDynamicUser && uid <= lastDynamicUser) || uid === nobody;
}

function notAnswered(complaint: string): Fault {
  return new Fault("ask-failed", {
    message: `svc-upgrade-ask.service ended without an answer: ${complaint}`,
    hint: "look at what it said: `journalctl -u svc-upgrade-ask`",
  });
}
