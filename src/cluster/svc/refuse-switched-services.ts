import { Fault } from "../../rules/fault/fault.ts";
import { shellWord } from "../../rules/text/shell-word.ts";
import type { Services } from "../services/services.ts";

/** Refuses a reload if the change needs a restart. */
export function refuseSwitched(before: Services, after: Services): void {
  const changed = [
    ...((before.auth === undefined) === (after.auth === undefined) ? [] : ["whether auth_service is enabled"]),
    ...((before.proxy === undefined) === (after.proxy === undefined) ? [] : ["whether proxy_service is enabled"]),
    ...(before.updaterRoot === after.updaterRoot ? [] : ["svc.updater_root"]),
    ...(JSON.stringify(before.labels) === JSON.stringify(after.labels) ? [] : ["svc.labels"]),
    ...(JSON.stringify(before.join) === JSON.stringify(after.join) ? [] : ["svc.join"]),
    ...(JSON.stringify(before.ssh) === JSON.stringify(after.ssh) ? [] : ["ssh_service"]),
    ...(JSON.stringify(before.kube) === JSON.stringify(after.kube) ? [] : ["svc.kube"]),
    ...(before.dataDirectory === after.dataDirectory ? [] : ["svc.data_dir"]),
  ];
  if (changed.length === 0) return;
  throw new Fault("configuration-invalid", {
    message: `a reload cannot change ${changed.join(" and ")}`,
    hint: before.dataDirectory === after.dataDirectory ? restart : moveFirst(before, after),
  });
}

const restart = "restart it for that: `sudo systemctl restart svc`";

/** How to move the files first: an empty directory would start another cluster. */
function moveFirst({ dataDirectory: from }: Services, { dataDirectory: to }: Services): string {
  return `what lies there has to move along: \`sudo systemctl stop svc && sudo mv -T ${shellWord(from)} ${shellWord(to)} && sudo systemctl start svc\``;
}
