import { Fault } from "../../../rules/fault/fault.ts";
import { passedSocket } from "../../../machine/program/passed-socket.ts";
import type { Surroundings } from "../surroundings.ts";

/** The socket that systemd gives to its own command. `instead` names the command that a person may have wanted. */
export function socketFor(command: "ask" | "act", { environment }: Surroundings, instead: string): number {
  const [service, socket] = [`svc-upgrade-${command}.service`, `svc-upgrade-${command}.socket`];
  const hint = `leave one ListenStream= there: \`systemctl cat ${socket}\``;
  const passed = passedSocket({ environment, processId: process.pid }, { socket, hint });
  if (passed !== undefined) return passed;
  throw new Fault("usage", { message: `\`${command}\` is for ${service} alone, which ${socket} starts`, hint: instead });
}
