import { byDefault, record, truth, type Shape, whole } from "../../rules/shape/shape.ts";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { CreateTokenRequestSchema, type TokenSchema, type TokenService } from "../api/generated/svc/v1/token_pb.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { actorOf, type Caller } from "./caller.ts";
import { put } from "./changes.ts";
import { commitFor } from "./commit.ts";
import { everyItem } from "./every-item.ts";
import type { HandlersOf } from "./handlers.ts";
import { pageOf, readPageSize } from "./page.ts";
import { requirePermission } from "./permission.ts";
import { labels } from "../resource/name.ts";
import { bodyOf, digest, instanceKind, readFields, rowOf } from "./row-forms.ts";
import { timestamp } from "./timestamp.ts";
import { digestOfToken, nameOfDigest } from "./token-digest.ts";
import { tokenKey, tokenRow, type TokenRow } from "./token-row.ts";
import { randomBytes } from "node:crypto";
import type { InstanceKind } from "../identity/names.ts";
import type { AuthContext } from "./context.ts";

const leastTtl = 60;
const mostTtl = 30 * 86_400;
const mostUses = 1_000_000;

const ttl: Shape<number> = whole(leastTtl, mostTtl, "60 to 2592000 seconds: a minute to 30 days");
const uses: Shape<number> = whole(0, mostUses, "0 to 1000000; 0 is any number of times");

const asked = record({
  digest,
  type: instanceKind,
  ttlSeconds: ttl,
  uses: byDefault(uses, 0),
  labels: byDefault(labels, {}),
  ephemeral: byDefault(truth, false),
});

export const tokenHandlers: HandlersOf<typeof TokenService> = {
  createToken: async (context, caller, request) => {
    requirePermission(caller, { kind: "token", verb: "create" });
    const wanted = readFields(asked, { ...request, ttlSeconds: Number(request.ttlSeconds) }, "the token");
    if (wanted.type !== "node") refuseUnlessRoot(caller, wanted.type);
    const name = nameOfDigest(wanted.digest);
    const now = context.now();
    const { ttlSeconds, ...about } = wanted;
    const row: TokenRow = { ...about, expires: now + ttlSeconds, used: 0, created_by: actorOf(caller), created: now };
    const after = { type: row.type, expires: row.expires, uses: row.uses, labels: row.labels, ephemeral: row.ephemeral };
    const changes = [put(tokenKey(name), bodyOf(tokenRow, row), undefined)];
    const audit = [{ event: "token.created", kind: "token", name, after }] as const;
    const committed = await commitFor(caller, { changes, audit }, context);
    if (committed.kind === "overtaken") {
      throw new Fault("resource-exists", { message: `there is a token ${name} already`, hint: "make another one" });
    }
    return { token: message(name, row) };
  },
  listTokens: async ({ store }, _caller, { pageSize, pageToken }) => {
    const found = everyItem(store, "token", pageToken);
    const { page, nextPageToken } = await pageOf(found, readPageSize(pageSize), ({ name }) => name);
    return { tokens: page.map((item) => message(item.name, rowOf(tokenRow, item))), nextPageToken };
  },
  deleteToken: async (context, caller, { name }) => {
    const changes = [{ kind: "delete", item: tokenKey(name), expect: { kind: "present" } }] as const;
    const audit = [{ event: "token.deleted", kind: "token", name }] as const;
    const committed = await commitFor(caller, { changes, audit }, context);
    if (committed.kind === "done") return {};
    throw new Fault("resource-missing", {
      message: `there is no token "${quote(name)}"`,
      hint: "`tctl tokens ls` shows what there is",
    });
  },
};

/** All instances trust auth and proxies. */
function refuseUnlessRoot(caller: Caller, type: string): void {
  if (caller.kind === "root") return;
  throw new Fault("access-denied", {
    message: `tokens for ${type} are made by root on the auth host alone`,
    hint: `there: \`sudo tctl tokens add --type=${type}\``,
  });
}

function message(name: string, row: TokenRow): MessageInitShape<typeof TokenSchema> {
  return {
    name,
    type: row.type,
    expires: timestamp(row.expires),
    uses: row.uses,
    used: row.used,
    labels: { ...row.labels },
    ephemeral: row.ephemeral,
    createdBy: row.created_by,
    created: timestamp(row.created),
  };
}

const tokenBytes = 32;
const ttlSeconds = 60n;

/** Makes a token for a service in the same process, which joins as others do. */
export async function makeOwnToken(context: AuthContext, type: InstanceKind, hostname: string): Promise<string> {
  const token = randomBytes(tokenBytes).toString("hex");
  const request = create(CreateTokenRequestSchema, { digest: digestOfToken(token), type, ttlSeconds, uses: 1 });
  await tokenHandlers.createToken(context, { kind: "root", host: hostname }, request);
  return token;
}
