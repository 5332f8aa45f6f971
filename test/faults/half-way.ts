import { join } from "node:path";
import type { Host } from "../system/lab/host.ts";
import { packageVersion } from "../system/lab/package.ts";
import { runProgram } from "../system/lab/program.ts";
import type { Stage } from "./stage.ts";

/** One way to find the agent's package half-way, and how to bring it there. Gives the version that the database then names. */
export type HalfWay = { readonly name: string; readonly bring: (stage: Stage) => Promise<string> };

const binary = "/usr/bin/svc";

/** What `dpkg-query ${db:Status-Status}` may say of a package that has to be repaired, with the flag that asks for its installation. */
export const dpkgStates: readonly HalfWay[] = [
  { name: "unpacked by an admin, and not configured", bring: unpack },
  dpkgState("half-configured"),
  dpkgState("half-installed"),
  dpkgState("reinst-required installed"),
  dpkgState("reinst-required half-installed"),
  dpkgState("reinst-required unpacked"),
  dpkgState("reinst-required half-configured"),
];

/** These are the tasks of the next run of dpkg, and nothing is missing of the agent. */
export const triggerStates: readonly HalfWay[] = [dpkgState("triggers-awaited"), dpkgState("triggers-pending")];

export const withoutBinary: HalfWay = {
  name: "installed without its binary",
  bring: async (stage) => {
    await stage.host.mustRun(["rm", binary]);
    return stage.current();
  },
};

export const rpmKinds: readonly HalfWay[] = [
  { name: "there in two versions, the later one without its files", bring: duplicate },
  {
    name: "removed in part",
    bring: async (stage) => {
      await stage.host.mustRun(["rm", binary, "/usr/lib/systemd/system/svc.service"]);
      return stage.current();
    },
  },
];

/** In memory of the database alone, as a run that was cut off leaves it; with what may be missing of its files then. */
function dpkgState(state: string): HalfWay {
  return {
    name: state,
    bring: async (stage) => {
      await writeState(stage.host, state);
      if (state.endsWith("half-installed")) await stage.host.mustRun(["rm", binary]);
      return stage.current();
    },
  };
}

async function writeState(host: Host, state: string): Promise<void> {
  const [flag, status] = state.startsWith("reinst-required ") ? ["reinstreq", state.split(" ")[1]] : ["ok", state];
  const tasks: Readonly<Record<string, string>> = {
    "triggers-awaited": "\\nTriggers-Awaited: libc-bin",
    "triggers-pending": "\\nTriggers-Pending: ldconfig",
  };
  const edit = `/^Package: svc-ent$/,/^$/s/^Status: .*/Status: install ${flag} ${status}${tasks[state] ?? ""}/`;
  await host.mustRun(["sed", "--in-place", edit, "/var/lib/dpkg/status"]);
}

async function unpack(stage: Stage): Promise<string> {
  const { host } = stage;
  await host.copyIn(join(host.directory, "packages", `svc-ent_${stage.current()}_amd64.deb`), "/root/svc-ent.deb");
  await host.mustRun(["dpkg", "--unpack", "/root/svc-ent.deb"]);
  return stage.current();
}

/** rpm writes the new version down before it strikes the old one out. */
async function duplicate(stage: Stage): Promise<string> {
  const { host } = stage;
  const next = await stage.publish();
  const directory = join(host.directory, "packages");
  const found = await runProgram(["find", directory, "-name", `svc-ent-${packageVersion(host, next)}.*.rpm`]);
  await host.copyIn(found.stdout.trim(), "/root/svc-ent.rpm");
  await host.mustRun(["rpm", "--install", "--justdb", "--noscripts", "--force", "/root/svc-ent.rpm"]);
  return next;
}
