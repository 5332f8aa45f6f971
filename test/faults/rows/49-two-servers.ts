import { deepEqual } from "node:assert/strict";
import { listen } from "../../system/lab/server.ts";
import { startNginx } from "../../system/lab/nginx.ts";
import { startInstance } from "../../system/server/instance.ts";
import { expectEnded, expectMoved, expectPass, expectStay } from "../expect-pass.ts";
import { tick } from "../pass.ts";
import { lastPass, lastPassId } from "../record.ts";
import { inEachFamily, onApt, type Row } from "../scenario.ts";
import { closeWindow, type Stage } from "../stage.ts";
import { serve, serveNext, withSettings } from "../staging.ts";
import { expectRunning, expectWhole } from "../whole.ts";

/** Enough for every order in which two servers can be asked. */
const passes = 6;

/** What one server says of the version that another one serves. */
export const twoServers: Row = {
  scenarios: [
    ...inEachFamily(49, "two svc-proxy behind nginx, and one of them serves a critical version", (stage) =>
      disagreeing(stage, (versions) => behindNginx(stage, versions)),
    ),
    ...onApt(49, "two servers of another make, and one of them serves a critical version", (stage) =>
      disagreeing(stage, (versions) => behindEachOther(stage, versions)),
    ),
    ...onApt(49, "two servers of another make serve two versions in turn: no agent is moved to and fro", (stage) =>
      withSettings(stage, "downgrade: allow\n", () => inTurn(stage)),
    ),
    ...onApt(49, "two svc-proxy behind nginx, and both serve the critical version: it is taken", async (stage) => {
      const version = await stage.publish();
      await closeWindow(stage.host);
      const endpoint = await behindNginx(stage, { ordinary: version, critical: version });
      await withSettings(stage, `endpoint: ${endpoint}\n`, () => expectMoved(stage, version));
    }),
    ...onApt(49, "a server of another make calls its version critical: it counts the second time", async (stage) => {
      const version = await stage.publish();
      await closeWindow(stage.host);
      const endpoint = await ofAnotherMake(stage, () => ({ version, critical: "yes" }));
      await withSettings(stage, `endpoint: ${endpoint}\n`, async () => {
        await expectStay(stage, "outside-window");
        await expectMoved(stage, version);
      });
    }).map((scenario) => ({ ...scenario, host: "of its own" as const })),
  ],
  unstaged: [],
};

type Versions = { readonly ordinary: string; readonly critical: string };

/** The version that one of them serves as critical may be taken, by whoever asks that one alone; never the other one. */
async function disagreeing(stage: Stage, serveThem: (versions: Versions) => Promise<string>): Promise<string> {
  const { host } = stage;
  const versions = { ordinary: await stage.publish(), critical: await stage.publish() };
  await closeWindow(stage.host);
  const endpoint = await serveThem(versions);
  let stays = 0;
  await withSettings(stage, `endpoint: ${endpoint}\n`, async () => {
    for (let pass = 0; pass < passes; pass += 1) {
      // The other server's turn to be asked first.
      if (pass % 2 === 1) await host.mustRun(["curl", "--silent", "--show-error", `${endpoint}${channelPath}/version`]);
      const before = lastPassId(host);
      const status = await tick(host);
      const { decision } = lastPass(host);
      if (decision.kind === "move") {
        deepEqual([decision.why, decision.target.to], ["critical", versions.critical]);
        await expectEnded(stage, { status, before }, { status: 0, outcome: { kind: "moved" }, version: versions.critical });
        return;
      }
      stays += 1;
      await expectEnded(stage, { status, before }, { status: 0, outcome: { kind: "stayed" }, why: "outside-window" });
    }
  });
  if (stays < passes) return `taken after ${stays} passes, from the one that serves it`;
  await expectWhole(host, stage.current());
  await expectRunning(host, stage.current());
  return "never taken outside the window";
}

/** The newer one is new, and taken; the older one comes back, and is not. */
async function inTurn(stage: Stage): Promise<void> {
  const { host } = stage;
  const older = stage.current();
  const newer = await serveNext(stage);
  await expectMoved(stage, newer);
  for (let pass = 0; pass < passes; pass += 1) {
    serve(stage, pass % 2 === 0 ? older : newer);
    await expectPass(stage, { status: 0, outcome: { kind: "stayed" }, version: newer });
  }
  await host.mustRun(["svc-upgrade", "retry"]);
}

const channelPath = "/v1/webapi/automaticupgrades/channel/default";

const ofDefault = (settings: string): string => `{default: {${settings}}}`;

/** The shipped svc-proxy, twice, and nginx before them, which asks them in turn. */
async function behindNginx(stage: Stage, { ordinary, critical }: Versions): Promise<string> {
  const { host } = stage;
  const isOne = ordinary === critical;
  const first = await startInstance(host, {
    name: `first-${ordinary}`,
    channels: ofDefault(`static_version: v${ordinary}${isOne ? ', critical: "yes"' : ""}`),
  });
  const second = await startInstance(host, {
    name: `second-${ordinary}`,
    channels: ofDefault(`static_version: v${critical}, critical: "yes"`),
  });
  const site = `upstream pair { server 127.0.0.1:${first.port}; server 127.0.0.1:${second.port}; }
server { listen 443 default_server; location / { proxy_pass http://pair; } }
`;
  const { port } = await startNginx(host, { site, certificate: { key: "", cert: "" } });
  return `http://outer.test:${port}`;
}

/** Two servers, asked in turn. */
function behindEachOther(stage: Stage, { ordinary, critical }: Versions): Promise<string> {
  let asked = 0;
  return ofAnotherMake(stage, () => {
    asked += 1;
    return asked % 2 === 1 ? { version: ordinary, critical: "no" } : { version: critical, critical: "yes" };
  });
}

type Said = { readonly version: string; readonly critical: "yes" | "no" };

/** A server that says nothing of which version its `critical` is meant for. */
async function ofAnotherMake({ host }: Stage, says: () => Said): Promise<string> {
  const server = await listen({ address: host.network.outerAddress }, (request, response) => {
    const { version, critical } = says();
    // Whoever asks past the caches adds a query.
    const { pathname } = new URL(request.url ?? "", "http://outer.test");
    const body = pathname.endsWith("/version") ? `v${version}` : critical;
    response.writeHead(200, { "content-type": "text/plain" }).end(body);
  });
  host.atStop(() => server.goDown());
  return `http://outer.test:${server.port}`;
}
