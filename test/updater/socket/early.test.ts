import { createServer, type Server, type Socket } from "node:net";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { openEarly } from "../../../src/updater/socket/early.ts";
import { Lost } from "../../../src/updater/socket/lost.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";

async function listening(): Promise<{ readonly path: string; readonly came: Socket[] }> {
  const path = `${scratchFolder()}/early.socket`;
  const came: Socket[] = [];
  const server: Server = createServer((connection) => {
    came.push(connection);
    connection.on("data", (line: Buffer) => connection.write(`heard ${line.toString()}`));
  });
  server.listen(path);
  await once(server, "listening");
  onTestFinished(() => {
    for (const connection of came) connection.destroy();
    server.close();
  });
  return { path, came };
}

test("the other side is reached before anything is said, and hears it by the same connection", async () => {
  const { path, came } = await listening();
  const early = openEarly({ path, longestAnswerBytes: 100 });
  await expect.poll(() => came.length).toBe(1);
  const conversation = await early.take();
  expect(await conversation?.ask("one")).toBe("heard one");
  expect(came.length).toBe(1);
  // It is for one user: who asks again opens one of its own.
  expect(await early.take()).toBeUndefined();
  conversation?.end();
});

test("who says nothing for too long lets the other side go", async () => {
  const { path, came } = await listening();
  const early = openEarly({ path, longestAnswerBytes: 100 }, 20);
  await expect.poll(() => came[0]?.readableEnded).toBe(true);
  expect(await early.take()).toBeUndefined();
});

test("where the other side has ended it, what is asked is lost; where nobody listens, there is none", async () => {
  const { path, came } = await listening();
  const early = openEarly({ path, longestAnswerBytes: 100 });
  await expect.poll(() => came.length).toBe(1);
  const [theirs] = came;
  theirs?.destroy();
  await once(theirs!, "close");
  // Our end is readable from then on, and the next turn of the loop reads it.
  await new Promise(setImmediate);
  await expect((await early.take())?.ask("one")).rejects.toThrow(Lost);
  expect(await openEarly({ path: `${path}.none`, longestAnswerBytes: 100 }).take()).toBeUndefined();
});
