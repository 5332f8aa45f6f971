import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { isInPath } from "../../../../packaging/tool.ts";
import { serveSilence } from "../../../machine/network/fixture/server.ts";
import { freePorts } from "../process.ts";
import { channelPath, loaded, running } from "../running.ts";

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

const missing = !isInPath("nginx");
if (missing) console.warn("SKIPPED: channels behind an upstream's nginx: nginx is not installed");

type Nginx = { readonly url: string; readonly accessLog: () => string };

async function startNginx(locations: string): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), "svc-proxy-upstream-"));
  open.push(() => rmSync(folder, { recursive: true }));
  const [port] = await freePorts();
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path ${folder}/${kind};`);
  const site = `access_log ${folder}/log; default_type text/plain; server { listen 127.0.0.1:${port}; ${locations} }`;
  writeFileSync(
    join(folder, "conf"),
    `daemon off; master_process off; pid ${folder}/pid; events { worker_connections 512; }\nhttp { ${places.join(" ")} ${site} }\n`,
  );
  const child = spawn("nginx", ["-p", folder, "-e", `${folder}/errors`, "-c", `${folder}/conf`], { stdio: "ignore" });
  open.push(async () => {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  });
  const url = `http://127.0.0.1:${port}`;
  await expect
    .poll(() =>
      fetch(url).then(
        () => "listens",
        () => "not yet",
      ),
    )
    .toBe("listens");
  return { url, accessLog: () => readFileSync(join(folder, "log"), "utf8") };
}

test.skipIf(missing)(
  "behind one nginx a channel is heard beside eight that hang, and one that is limited is left alone as it says",
  async () => {
    const silent = await serveSilence();
    open.push(silent.close);
    const nginx = await startNginx(`
      location /well/version { return 200 "v15.4.6\\n"; }
      location /slow { proxy_pass http://127.0.0.1:${silent.port}; }
      location /crowded { add_header Retry-After 3600 always; return 429 "slow down"; }`);
    const names = [...Array.from({ length: 8 }, (_, index) => `slow${index}`), "well", "crowded"];
    const channels = names.map((name) => `${name}: {forward_url: "${nginx.url}/${name}"}`);
    const server = await running(await loaded(`{${channels.join(", ")}}`));
    open.push(server.stop);

    // No sooner than the slow ones have an end would it have had its turn.
    const answer = await fetch(`${server.url}${channelPath("well")}`);
    expect([answer.status, await answer.text()]).toEqual([200, "v15.4.6\n"]);
    const slow = [...server.live.upstreams].filter(([name]) => name.startsWith("slow"));
    expect(slow.map(([, { failures }]) => failures)).toEqual(slow.map(() => 0));

    await expect.poll(() => server.live.upstreams.get("crowded" as never)?.failures).toBe(1);
    const told = server.lines.find(({ fields }) => fields?.["channel"] === "crowded");
    expect(told?.fields).toMatchObject({ fault: "channel-failing", retry_after_seconds: 3600 });
    expect(nginx.accessLog().match(/GET \/crowded/g)).toHaveLength(1);
  },
);
