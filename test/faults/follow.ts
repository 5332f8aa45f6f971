import type { Host } from "../system/lab/host.ts";
import { until } from "../system/lab/until.ts";

/** Somebody at a terminal, whose session lasts whatever becomes of the service manager. */
export type Following = { readonly end: () => Promise<Followed> };

export type Followed = { readonly status: number; readonly stdout: string; readonly stderr: string };

const place = "/run/follower";
const longestRunMs = 300_000;

/** `svc-upgrade run --now` by hand, in the host. */
export async function beginRun(host: Host): Promise<Following> {
  const line = `svc-upgrade run --now >${place}/stdout 2>${place}/stderr; echo $? >${place}/half; mv ${place}/half ${place}/status`;
  await host.enter(["sh", "-c", `rm -rf ${place} && mkdir ${place}`]);
  await host.mustRun(["systemd-run", "--quiet", "--collect", "--unit=follower", "sh", "-c", line.replaceAll("$", "$$$$")]);
  return {
    end: async () => {
      const status = await until("whoever follows the pass to be told its end", longestRunMs, async () => {
        const said = await host.enter(["cat", `${place}/status`]);
        return said.status === 0 ? Number(said.stdout) : undefined;
      });
      return { status, stdout: await host.read(`${place}/stdout`), stderr: await host.read(`${place}/stderr`) };
    },
  };
}
