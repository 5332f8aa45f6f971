import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildAgent } from "../../system/lab/agent.ts";
import { mustRun } from "../../system/lab/program.ts";
import { expectMoved, expectRefused } from "../expect-pass.ts";
import { withHostileRepository, type Mischief } from "../hostile-repository.ts";
import { inEachFamily, onApt, type Row } from "../scenario.ts";
import type { Stage } from "../stage.ts";
import { serveNext } from "../staging.ts";

/** Old lists, wrong lists, lists that do not belong together: the package manager's to refuse, and ours to say so. */
export const lists: Row = {
  scenarios: [
    ...inEachFamily(24, "rollback and freeze: lists of yesterday, rightly signed", async (stage) => {
      const yesterday = await listsOf(stage);
      await serveNext(stage);
      const old: Mischief = (path, _, response) => {
        const list = yesterday.get(path);
        if (list === undefined) return undefined;
        response.writeHead(200, { "content-length": list.length }).end(list);
        return "done";
      };
      await withHostileRepository(stage, old, () => expectRefused(stage, ["not-offered", "refresh-failed"]));
    }),
    ...inEachFamily(24, "mix and match: lists that are not those of the signed index", async (stage) => {
      await serveNext(stage);
      const mixed: Mischief = (path, file, response) => {
        if (!/\/Packages|primary\.xml/.test(path)) return undefined;
        response.writeHead(200, { "content-length": file.length }).end(file.toReversed());
        return "done";
      };
      await withHostileRepository(stage, mixed, () =>
        expectRefused(stage, ["refresh-failed", "download-failed", "package-untrusted"]),
      );
    }),
    ...inEachFamily(24, "fast forward: a far higher version is offered than the cluster serves", async (stage) => {
      await stage.repository.publish(await buildAgent(stage.host, { version: "99.0.0" }));
      await expectMoved(stage, await serveNext(stage));
      await stage.repository.withdraw("svc-ent", "99.0.0");
    }),
    ...onApt(24, "the lists have expired", async (stage) => {
      const { host } = stage;
      await serveNext(stage);
      const release = join(treeOf(stage), "dists/stable/Release");
      const expired = new Date(Date.now() - 86_400_000).toUTCString();
      await writeFile(release, `${(await readFile(release, "utf8")).trimEnd()}\nValid-Until: ${expired}\n`);
      const keys = join(host.directory, "repository-svc", "keys");
      const signed = release.replace(/Release$/, "InRelease");
      const gpg = ["gpg", "--homedir", keys, "--batch", "--yes", "--quiet", "--local-user", "trusted@outer.test"];
      await mustRun([...gpg, "--output", signed, "--clearsign", release]);
      await expectRefused(stage, ["refresh-failed"]);
    }),
  ],
  unstaged: [{ row: 24, name: "expired lists for yum and zypper", why: "what createrepo_c writes never expires" }],
};

function treeOf({ host }: Stage): string {
  return join(host.directory, "repository-svc", "tree");
}

/** All files of the repository but the packages, by the path that they are asked for. */
async function listsOf(stage: Stage): Promise<ReadonlyMap<string, Buffer>> {
  const tree = treeOf(stage);
  const entries = await readdir(tree, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !/\.(?:deb|rpm)$/.test(entry.name));
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  return new Map(await Promise.all(paths.map(async (path) => [path.slice(tree.length), await readFile(path)] as const)));
}
