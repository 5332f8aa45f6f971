import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { create, toBinary } from "@bufbuild/protobuf";
import { RefusalSchema } from "../../../src/cluster/api/generated/svc/v1/refusal_pb.ts";
import { parseClusterId, type ClusterId } from "../../../src/cluster/identity/names.ts";
import { readProof, type ProofReading } from "../../../src/cluster/identity/proof.ts";
import { type Authority } from "../../machine/network/fixture/authority.ts";
import { startHttps } from "../auth/https-server.ts";

export const clusterId: ClusterId = parseClusterId("6f1c9a54-0c7e-4f0e-9d39-7b1f5d2a8e10")!;
export const token = "a".repeat(64);
export const invitation = "b".repeat(64);
export const password = "correct horse battery";

export type Asked = {
  readonly path: string;
  readonly body: unknown;
  readonly headers: IncomingMessage["headers"];
  readonly proof: ProofReading | undefined;
};

export type ProxyOfCluster = AsyncDisposable & {
  readonly port: number;
  /** What `--ca-file` takes. */
  readonly caFile: string;
  readonly authority: Authority;
  readonly asked: Asked[];
  /** By how much its clock is ahead of ours, and what else it does. */
  readonly now: { aheadSeconds: number; roles: readonly string[]; ended: boolean; away: boolean; clusterName: string };
};

type Answer = { readonly status: number; readonly body: object };

/** A proxy with an auth behind it that believes proofs and nothing else, as far as signing in needs one. */
export async function startProxyOfCluster(altName = "IP:127.0.0.1,DNS:localhost"): Promise<ProxyOfCluster> {
  const now = { aheadSeconds: 0, roles: ["editor"] as readonly string[], ended: false, away: false, clusterName: "example" };
  const asked: Asked[] = [];
  const seconds = (): number => Math.floor(Date.now() / 1000) + now.aheadSeconds;
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const path = request.url ?? "";
    const { dpop, authorization } = request.headers;
    const shown = /^DPoP ([0-9a-f]{64})$/.exec(authorization ?? "")?.[1];
    const proof =
      typeof dpop === "string"
        ? await readProof(dpop, { cluster: clusterId, path, body, token: shown, now: seconds() })
        : undefined;
    asked.push({ path, body: JSON.parse(body.toString()), headers: request.headers, proof });
    const came = now.away ? refusal(503, "auth-busy", "auth is away") : answerTo(path, JSON.parse(body.toString()), proof);
    response.writeHead(came.status, {
      "content-type": "application/json",
      date: new Date(seconds() * 1000).toUTCString(),
    });
    response.end(JSON.stringify(came.body));
  }
  function answerTo(path: string, body: Readonly<Record<string, string>>, proof: ProofReading | undefined): Answer {
    const method = path.replace("/svc.v1.", "");
    const session = {
      name: "fedcba9876543210",
      user: "alice",
      roles: now.roles,
      until: new Date((seconds() + 12 * 3600) * 1000).toISOString(),
    };
    const ofCluster = { clusterName: now.clusterName, clusterId };
    switch (method) {
      case "SessionService/Greet":
        return ok({ ...ofCluster, now: new Date(seconds() * 1000).toISOString() });
      case "InvitationService/ReadInvitation":
        if (body["token"] !== invitation) return refusal(401, "sign-in-refused", "no such invitation");
        return ok({ user: "alice", clusterName: "example", secret: "JBSWY3DPEHPK3PXP", expires: "2026-12-01T00:00:00Z" });
      case "InvitationService/TakeInvitation":
        return body["code"] === "123456" ? ok({ user: "alice" }) : refusal(401, "sign-in-refused", "the code does not fit");
    }
    if (proof?.kind !== "proven") return refusal(401, "proof-refused", `refused: ${proof?.why ?? "no proof"}`);
    if (method === "SessionService/SignIn") {
      return body["password"] === password && body["code"] === "123456"
        ? ok({ token, session })
        : refusal(401, "sign-in-refused", "user, password and code do not fit together");
    }
    if (now.ended) return refusal(401, "session-ended", "the session has ended");
    return ok(method === "SessionService/GetSession" ? { session, ...ofCluster } : {});
  }
  const names = { authority: "cluster authority", name: "proxy", altName };
  const { authority, port, stop } = await startHttps(names, answer);
  return {
    port,
    caFile: authority.file,
    authority,
    asked,
    now,
    [Symbol.asyncDispose]: stop,
  };
}

function ok(body: object): Answer {
  return { status: 200, body };
}

function refusal(status: number, code: string, message: string): Answer {
  const value = Buffer.from(toBinary(RefusalSchema, create(RefusalSchema, { code, message, hint: "-" }))).toString("base64");
  return { status, body: { code: "unauthenticated", message, details: [{ type: "svc.v1.Refusal", value }] } };
}
