import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { dirname } from "node:path";
import { readFileCapped } from "../../machine/files/read-file.ts";
import { writeFileAtomically } from "../../machine/files/write-file.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { shellWord } from "../../rules/text/shell-word.ts";
import type { Change, Committed, DumpLine, Item, ItemKey, JsonObject, Store } from "./port.ts";

/** Kinds of items with a private key or a secret. */
const sealedKinds: readonly string[] = [
  "authority",
  "ssh-authority",
  "ticket-keys",
  "credential",
  "invitation",
  "sign-in",
  "github",
  "oidc",
  "saml",
];
const cipher = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;
const keyBytes = 32;
const capBytes = 1024;
const longestName = 100;

/** The store, with its keys and secrets sealed by the key in this file. Makes the key for a store that is still empty. */
export async function sealedBy(keyFile: string, store: Store): Promise<Store> {
  const reading = readFileCapped(keyFile, { capBytes, links: "refuse" });
  if (reading.kind === "read") {
    const key = Buffer.from(reading.text.trim(), "hex");
    if (key.length === keyBytes) return sealing(store, key, keyFile);
    throw lacking(`${keyFile} does not hold a key of ${keyBytes} bytes in hexadecimal digits`);
  }
  if (reading.kind !== "missing") throw unreadable(keyFile, reading.kind === "denied" ? "may not be read by svc" : reading.why);
  for (const kind of sealedKinds) {
    const [first] = await store.list(kind, { after: undefined, most: 1 });
    if (typeof first?.body["sealed"] === "string") throw lacking(`${keyFile} does not exist`, { of: await nameOfCluster(store) });
  }
  const key = randomBytes(keyBytes);
  writeFileAtomically(keyFile, `${key.toString("hex")}\n`, { root: "/", mode: 0o600, fault: "file-failed" });
  return sealing(store, key, keyFile);
}

/** The name of the stored cluster, for a fault: another one may be configured. */
async function nameOfCluster(store: Store): Promise<string> {
  const name = (await store.get({ kind: "cluster", name: "cluster" }))?.body["name"];
  return typeof name === "string" ? ` of the cluster ${quote(name, longestName)}` : "";
}

function unreadable(keyFile: string, why: string): Fault {
  const file = shellWord(keyFile);
  return new Fault("store-unreadable", {
    message: `the keys and secrets in the database are sealed, and ${keyFile} ${why}`,
    hint: `look at it: \`sudo ls -l ${file}\`; \`sudo chown --reference=${shellWord(dirname(keyFile))} ${file}\` gives it to svc`,
  });
}

type Lacking = { readonly of?: string; readonly cause?: unknown };

function lacking(why: string, { of = "", cause }: Lacking = {}): Fault {
  return new Fault("store-unreadable", {
    message: `the keys and secrets${of} in the database are sealed, and ${why}`,
    hint: "copy that file from another auth host of the cluster, or put it back; without it, put a backup into an empty database: `tctl restore FILE`",
    cause,
  });
}

function sealing(store: Store, key: Buffer, keyFile: string): Store {
  const open = (item: Item): Item => opened(item, key, keyFile);
  return {
    ...store,
    get: async (wanted) => {
      const found = await store.get(wanted);
      return found && open(found);
    },
    list: async (kind, page) => (await store.list(kind, page)).map(open),
    changed: async (kind, asked) => (await store.changed(kind, asked)).map(open),
    commit: async (commit) => {
      const changes = commit.changes.map((change): Change =>
        change.kind === "put" ? { ...change, body: sealed(change, key) } : change,
      );
      const committed: Committed = await store.commit({ ...commit, changes });
      if (committed.kind === "done" || committed.found === undefined) return committed;
      return { ...committed, found: open(committed.found) };
    },
    dump: async function* () {
      for await (const some of store.dump())
        yield some.map((line): DumpLine => (line.kind === "item" ? { kind: "item", item: open(line.item) } : line));
    },
    fill: (lines) => store.fill(sealingAll(lines, key)),
  };
}

async function* sealingAll(lines: AsyncIterable<readonly DumpLine[]>, key: Buffer): AsyncGenerator<readonly DumpLine[]> {
  for await (const some of lines) {
    yield some.map((line): DumpLine => {
      if (line.kind !== "item") return line;
      return { kind: "item", item: { ...line.item, body: sealed({ item: line.item, body: line.item.body }, key) } };
    });
  }
}

type Wanted = { readonly item: ItemKey; readonly body: JsonObject };

function sealed({ item, body }: Wanted, key: Buffer): JsonObject {
  if (!sealedKinds.includes(item.kind)) return body;
  const nonce = randomBytes(nonceBytes);
  // Seals the body together with its key, so that nobody can put one row's body into another row.
  const by = createCipheriv(cipher, key, nonce).setAAD(nameOf(item));
  const text = Buffer.concat([by.update(JSON.stringify(body)), by.final()]);
  return { sealed: Buffer.concat([nonce, by.getAuthTag(), text]).toString("base64") };
}

function opened(item: Item, key: Buffer, keyFile: string): Item {
  const { sealed: text } = item.body;
  if (!sealedKinds.includes(item.kind)) return item;
  if (typeof text !== "string") throw lacking(`${item.kind} ${quote(item.name)} is not: somebody else has written it`);
  const bytes = Buffer.from(text, "base64");
  const [nonce, tag] = [bytes.subarray(0, nonceBytes), bytes.subarray(nonceBytes, nonceBytes + tagBytes)];
  try {
    const by = createDecipheriv(cipher, key, nonce).setAAD(nameOf(item)).setAuthTag(tag);
    const body = Buffer.concat([by.update(bytes.subarray(nonceBytes + tagBytes)), by.final()]);
    return { ...item, body: JSON.parse(body.toString()) as JsonObject };
  } catch (thrown) {
    throw lacking(`not by the key in ${keyFile}`, { cause: thrown });
  }
}

function nameOf({ kind, name }: ItemKey): Buffer {
  return Buffer.from(`${kind}\0${name}`);
}
