import { Fault } from "../../../rules/fault/fault.ts";

export function ssh(): Promise<number> {
  throw new Fault("usage", {
    message: "tsh opens no shells on hosts: this cluster serves versions, windows and rollouts",
    hint: "use the way that you reach the host by today, for example `ssh USER@HOST`",
  });
}
