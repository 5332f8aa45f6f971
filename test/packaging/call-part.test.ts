import { resolve } from "node:path";
import { expect, test } from "vitest";
import { bundle } from "../../packaging/bundle.ts";
import { quietParts } from "../../packaging/parts.ts";
import { projectRoot } from "../../packaging/project.ts";

/** Read from the disk, unpacked and kept in memory by whoever types tctl: 60 ms and 20 MB, if the services were in it. */
test("a call of tctl reads nothing of the services, which lie in another part", async () => {
  const { parts } = await bundle(resolve(projectRoot, "src/svc.ts"), quietParts.svc);
  const call = parts.find(({ name }) => name === "call")!;
  const rooms = new Set(call.sources.map((path) => /^src\/\w+\/(\w[\w-]*)\//.exec(path)?.[1]));
  for (const room of ["auth", "server", "presence", "svc"]) expect([room, rooms.has(room)]).toEqual([room, false]);
  for (const name of ["get", "ca", "backup"]) expect(call.sources).toContain(`src/cluster/tctl/commands/${name}.ts`);
  expect(call.text.length).toBeLessThan(336 * 1024);
});
