import { equal } from "node:assert/strict";
import { mustRun } from "../../system/lab/program.ts";
import { listen } from "../../system/lab/server.ts";
import { configure } from "../../system/updater.ts";
import { expectMoved, expectPass, expectStopped } from "../expect-pass.ts";
import { inEachFamily, onApt, type Row } from "../scenario.ts";
import type { Stage } from "../stage.ts";
import { serveNext } from "../staging.ts";

const ticks = 4;

export const network: Row = {
  scenarios: [
    ...inEachFamily(26, "the cable is out for some passes: no unit fails", async (stage) => {
      const { host } = stage;
      await serveNext(stage);
      await host.network.cable("out");
      for (let passes = 0; passes < ticks; passes += 1) await expectStopped(stage, 75, "channel-unreachable");
      equal((await host.enter(["systemctl", "--failed", "--no-legend"])).stdout, "");
      await host.network.cable("in");
    }),
    ...onApt(26, "the cable is out as the host boots", async (stage) => {
      const { host } = stage;
      const version = await serveNext(stage);
      await host.network.cable("out");
      await host.powerCut();
      await host.boot();
      await expectStopped(stage, 75, "channel-unreachable");
      await host.network.cable("in");
      await expectMoved(stage, version);
    }),
    ...onApt(26, "the network is IPv6 alone", (stage) => withIpv6(stage)),
  ],
  unstaged: [],
};

const [outer, inner] = ["fd13:2::1", "fd13:2::2"];

/** The name leads to an address of the other kind, and the IPv4 address of the host is gone. */
async function withIpv6(stage: Stage): Promise<void> {
  const { host } = stage;
  const { namespacePath, outerAddress, innerAddress } = host.network;
  const here = await mustRun(["ip", "-oneline", "address", "show", "to", `${outerAddress}/32`]);
  const device = here.split(/\s+/)[1] ?? "";
  const inside = ["nsenter", `--net=${namespacePath}`, "ip"];
  await mustRun(["ip", "address", "add", `${outer}/64`, "dev", device, "nodad"]);
  await mustRun([...inside, "address", "add", `${inner}/64`, "dev", "eth0", "nodad"]);
  await mustRun([...inside, "address", "delete", `${innerAddress}/30`, "dev", "eth0"]);
  const names = await host.read("/etc/hosts");
  await host.write("/etc/hosts", `::1 localhost\n${outer} outer.test\n`);
  const version = await stage.publish();
  const server = await listen({ address: outer }, (request, response) => {
    response.end(request.url?.endsWith("critical") === true ? "no" : `v${version}`);
  });
  await configure(host, `endpoint: http://outer.test:${server.port}\nallow_plain_http: true\n`);
  // The repository listens on the other address: that the version is known is what is asked here.
  await expectPass(stage, { status: 75, outcome: { kind: "failed", step: "refresh" } });
  await server.goDown();
  await mustRun([...inside, "address", "add", `${innerAddress}/30`, "dev", "eth0"]);
  await mustRun([...inside, "address", "delete", `${inner}/64`, "dev", "eth0"]);
  await mustRun(["ip", "address", "delete", `${outer}/64`, "dev", device]);
  await host.write("/etc/hosts", names);
  await configure(host, `endpoint: ${stage.versions.httpEndpoint}\nallow_plain_http: true\n`);
}
