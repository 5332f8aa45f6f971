import { randomBytes } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { CreateTokenRequestSchema } from "../api/generated/svc/v1/token_pb.ts";
import type { InstanceKind } from "../identity/names.ts";
import type { AuthContext } from "./context.ts";
import { digestOfToken } from "./token-digest.ts";
import { tokenHandlers } from "./tokens.ts";

const tokenBytes = 32;
const ttlSeconds = 60n;

/** Makes a token for a service in the same process, which joins as others do. */
export async function makeOwnToken(context: AuthContext, type: InstanceKind, hostname: string): Promise<string> {
  const token = randomBytes(tokenBytes).toString("hex");
  const request = create(CreateTokenRequestSchema, { digest: digestOfToken(token), type, ttlSeconds, uses: 1 });
  await tokenHandlers.createToken(context, { kind: "root", host: hostname }, request);
  return token;
}
