import type * as HelloModule from "../../../src/proxy/server-rules/client-hello.ts";
import { near } from "../mutate.ts";
import type { Random } from "../random.ts";
import { moduleOf } from "../source.ts";
import { taken, target, type Target } from "../target.ts";

/** A number in so many bytes. */
function counted(width: number, bytes: Buffer): Buffer {
  const head = Buffer.alloc(width);
  head.writeUIntBE(bytes.length, 0, width);
  return Buffer.concat([head, bytes]);
}

function extension(type: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0, type]), counted(2, bytes)]);
}

function hello(name: string, before: readonly Buffer[] = []): Buffer {
  const named = extension(0, counted(2, Buffer.concat([Buffer.from([0]), counted(2, Buffer.from(name, "latin1"))])));
  const parts = [
    Buffer.from([3, 3]),
    Buffer.alloc(32, 7),
    counted(1, Buffer.alloc(32)),
    counted(2, Buffer.from([19, 1, 19, 2])),
    counted(1, Buffer.alloc(1)),
    counted(2, Buffer.concat([...before, named])),
  ];
  return Buffer.concat([Buffer.from([1]), counted(3, Buffer.concat(parts))]);
}

function inRecords(message: Buffer, size: number): Buffer {
  const records: Buffer[] = [];
  for (let at = 0; at < message.length; at += size) {
    records.push(Buffer.from([22, 3, 1]), counted(2, message.subarray(at, at + size)));
  }
  return Buffer.concat(records);
}

function sample(random: Random): string {
  const before = random.several(0, 3, () => extension(1 + random.below(60), Buffer.alloc(random.below(40))));
  const name = random.pick(["auth.svc.internal", "proxy.example.com", "A", "x".repeat(255)]);
  return inRecords(hello(name, before), random.pick([1, 5, 64, 16_384])).toString("latin1");
}

export const helloTarget: Target = target({
  name: "client-hello",
  generate: (random) => {
    const text = near(sample)(random);
    return Uint8Array.from(Buffer.from(text, "latin1"));
  },
  load: async (source) => {
    const { askedName } = await moduleOf<typeof HelloModule>(source, "proxy/server-rules/client-hello.ts");
    return {
      read: (input) => {
        const asked = askedName(input);
        return taken(asked.kind === "name" ? asked.name : undefined);
      },
      print: (name) => Uint8Array.from(inRecords(hello(name), 7)),
    };
  },
});
