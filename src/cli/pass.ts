import { randomUUID } from "node:crypto";
import { readClock } from "../host/clock.ts";
import { pathsBelow, type Paths } from "../host/paths.ts";
import { removeFile } from "../host/remove-file.ts";
import { readFileCapped } from "../host/read-file.ts";
import { conductPass, statusOf } from "../pass/conduct.ts";
import { proxiesToGoBy } from "../pass/proxies.ts";
import type { Asked } from "../plan/policy.ts";
import { decodeAsked, isFresh } from "../record/asked.ts";
import { passPorts } from "./pass-ports.ts";
import type { CommandContext } from "./context.ts";

/** The deciding unit: one pass, asked for by the timer, or by whoever left a note before starting the unit. */
export async function pass({ surroundings, log }: CommandContext): Promise<number> {
  const { environment, stopping } = surroundings;
  const paths = pathsBelow("/");
  const passId = randomUUID();
  const sources = { paths, environment, flags: [], ownerUid: 0, log };
  const record = await conductPass({
    sources,
    asked: takeNote(paths),
    passId,
    readClock,
    portsFor: ({ settings }, endpoint) => {
      const proxies = proxiesToGoBy(paths, paths.passProxies, log);
      return passPorts({ paths, settings, endpoint, proxies, log, stopping, sources }, passId, "units");
    },
  });
  return statusOf(record);
}

const byTimer: Asked = { when: "timer", absent: "stop" };
const noteCapBytes = 1024;

/** A note speaks for one pass: it is gone once it was read, whatever it says. */
function takeNote({ root, asked }: Paths): Asked {
  const reading = readFileCapped(asked, { capBytes: noteCapBytes, links: "refuse" });
  if (reading.kind === "missing") return byTimer;
  removeFile(asked, root);
  if (reading.kind !== "read" || reading.uid !== 0 || reading.links !== 1) return byTimer;
  const note = decodeAsked(reading.text);
  return note.kind === "read" && isFresh(note.value, readClock().now) ? note.value.asked : byTimer;
}
