import { once } from "node:events";
import { rmSync } from "node:fs";
import { connect } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { serveOne } from "../../../src/updater/socket/serve.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";

const path = `${scratchFolder()}/unit.socket`;
const longestRequestBytes = 1000;

afterEach(() => rmSync(path, { force: true }));

describe("the side that serves", () => {
  test("finishes the call in hand although nobody waits for it any more, and ends with the connection", async () => {
    const finish = Promise.withResolvers<undefined>();
    const began = Promise.withResolvers<AbortSignal>();
    const served = serveOne({
      listen: { path },
      longestRequestBytes,
      answer: async (line, gone) => {
        began.resolve(gone);
        await finish.promise;
        return line;
      },
      stopping: new AbortController().signal,
    });
    const client = connect(path);
    client.write('{"kind":"refresh"}\n');
    const gone = await began.promise;
    client.destroy();
    await once(gone, "abort");
    let isOver = false;
    void served.then(() => (isOver = true));
    await new Promise(setImmediate);
    expect(isOver).toBe(false);
    finish.resolve(undefined);
    expect(await served).toBe("served");
  });

  test("answers the call in hand when it is asked to stop, and takes nothing after it", async () => {
    const stopping = new AbortController();
    const served = serveOne({
      listen: { path },
      longestRequestBytes,
      answer: async (line) => {
        stopping.abort();
        return `answer to ${line}`;
      },
      stopping: stopping.signal,
    });
    const client = connect(path);
    client.setEncoding("utf8");
    let said = "";
    client.on("data", (chunk: string) => (said += chunk));
    client.write("one\n");
    await once(client, "close");
    expect(said).toBe("answer to one\n");
    expect(await served).toBe("served");
  });

  test("ends when it is asked to, whether or not the other side does", async () => {
    const stopping = new AbortController();
    const served = serveOne({ listen: { path }, longestRequestBytes, answer: async () => "done", stopping: stopping.signal });
    const client = connect({ path, allowHalfOpen: true });
    client.on("error", () => undefined);
    client.write("one\n");
    await once(client, "data");
    stopping.abort();
    expect(await served).toBe("served");
    client.destroy();
  });

  test.each([
    ["more than one thing at a time", "one\ntwo\n"],
    ["something without an end", "x".repeat(longestRequestBytes + 1)],
  ])("cuts off who says %s", async (_what, said) => {
    const answered: string[] = [];
    const served = serveOne({
      listen: { path },
      longestRequestBytes,
      answer: async (line) => (answered.push(line), "done"),
      stopping: new AbortController().signal,
    });
    const client = connect(path);
    client.on("error", () => undefined);
    client.write(said);
    await once(client, "close");
    await served;
    expect(answered).toEqual([]);
  });

  test("gives up where nobody comes", async () => {
    const served = serveOne({
      listen: { path },
      longestRequestBytes,
      answer: async () => "",
      stopping: new AbortController().signal,
      patienceMs: 10,
    });
    expect(await served).toBe("nobody came");
  });
});
