import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fromBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RefusalSchema } from "../../../src/cluster/api/generated/svc/v1/refusal_pb.ts";
import { project } from "../../documents.ts";
import { isInPath } from "../../../packaging/tool.ts";
import { certified, forgedFor, startWithHosts, type Trusting, type WithHosts } from "./hosts.ts";

/** Programs of others, which know of auth what stands in its .proto files, and nothing else. */
let auth: WithHosts;
let folder: string;
beforeAll(async () => {
  auth = await startWithHosts();
  folder = mkdtempSync(join(tmpdir(), "clients-"));
  cpSync(join(project, "src/cluster/api/svc"), join(folder, "schema/svc"), { recursive: true });
  cpSync(join(project, "src/cluster/api/buf.yaml"), join(folder, "schema/buf.yaml"));
  writeFileSync(join(folder, "ca.pem"), auth.stranger.ca);
  const { id, trusting } = await auth.join("proxy");
  layOut("known", trusting);
  layOut("expired", await certified(auth, "proxy", { authority: auth.authority, id, isExpired: true }));
  layOut("forged", await forgedFor(auth, "auth"));
});
afterAll(async () => {
  await auth[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

function layOut(name: string, { cert = "", key = "" }: Trusting): void {
  writeFileSync(join(folder, `${name}.pem`), cert);
  writeFileSync(join(folder, `${name}.key`), key, { mode: 0o600 });
}

type Said = { readonly ended: number; readonly out: string; readonly error: string };

function run(program: string, argv: readonly string[]): Promise<Said> {
  const env = { PATH: process.env["PATH"], HOME: folder };
  return new Promise((resolve) => {
    const child = execFile(program, argv, { cwd: folder, env, timeout: 25_000 }, (failure, out, error) => {
      resolve({ ended: failure === null ? 0 : (child.exitCode ?? -1), out, error });
    });
  });
}

const refused = ["nothing", "forged", "expired"] as const;
type Shows = "known" | (typeof refused)[number];

const why: Readonly<Record<Shows, string>> = {
  known: "",
  nothing: "none was shown",
  forged: "no authority of this cluster has signed",
  expired: "has expired",
};

const keysOf = (shows: Shows): readonly string[] =>
  shows === "nothing" ? [] : ["--cert", `${shows}.pem`, "--key", `${shows}.key`];

function bufCurl(protocol: "grpc" | "connect", method: string, shows: Shows): Promise<Said> {
  const schema = ["--schema", "schema", "--reflect=false", "--protocol", protocol];
  const whom = ["--cacert", "ca.pem", "--servername", auth.stranger.servername, ...keysOf(shows)];
  const url = `https://127.0.0.1:${auth.auth.port}/svc.v1.${method}`;
  return run(join(project, "node_modules/.bin/buf"), ["curl", ...schema, ...whom, "--data", "{}", url]);
}

describe.each(["grpc", "connect"] as const)("buf curl, made from the schema alone, speaks %s", (protocol) => {
  test("with a certificate of the cluster it is answered", async () => {
    const { ended, out, error } = await bufCurl(protocol, "ClusterService/GetStatus", "known");
    expect([ended, error]).toEqual([0, ""]);
    expect(JSON.parse(out)).toMatchObject({ clusterName: "example", clusterId: auth.cluster, instances: expect.any(Array) });
  });

  test("what a proxy may not is refused in the words of auth", async () => {
    const { ended, error } = await bufCurl(protocol, "TokenService/ListTokens", "known");
    expect(ended).not.toBe(0);
    const { code, details } = JSON.parse(error) as { code: string; details: { type: string; value: string }[] };
    expect([code, details.map(({ type }) => type)]).toEqual(["permission_denied", ["svc.v1.Refusal"]]);
    const { value } = details[0]!;
    expect(fromBinary(RefusalSchema, Buffer.from(value, "base64"))).toMatchObject({
      code: "access-denied",
      hint: expect.stringContaining("tctl"),
    });
  });

  test.each(refused)("with %s it is refused", async (shows) => {
    const { ended, out, error } = await bufCurl(protocol, "ClusterService/GetStatus", shows);
    expect([ended === 0, out]).toEqual([false, ""]);
    expect(JSON.parse(error)).toMatchObject({ code: "unauthenticated", message: expect.stringContaining(why[shows]) });
  });
});

const hasCurl = isInPath("curl");
if (!hasCurl) console.warn("SKIPPED: curl as a client of auth: curl not installed");

describe.skipIf(!hasCurl).each(["--http1.1", "--http2"] as const)("curl, with JSON and %s", (version) => {
  function curl(method: string, shows: Shows): Promise<Said> {
    const name = auth.stranger.servername;
    const to = ["--connect-to", `${name}:443:127.0.0.1:${auth.auth.port}`, "--cacert", "ca.pem", ...keysOf(shows)];
    const asked = ["--header", "content-type: application/json", "--data", "{}", "--write-out", "\n%{http_code} %{http_version}"];
    return run("curl", ["--silent", "--show-error", version, ...to, ...asked, `https://${name}/svc.v1.${method}`]);
  }
  const spoken = version === "--http2" ? "2" : "1.1";

  test("is answered with a certificate of the cluster", async () => {
    const { ended, out } = await curl("ClusterService/GetStatus", "known");
    const [body = "", told] = out.split("\n");
    expect([ended, told]).toEqual([0, `200 ${spoken}`]);
    expect(JSON.parse(body)).toMatchObject({ clusterId: auth.cluster });
  });

  test.each(refused)("is refused with %s", async (shows) => {
    const { out } = await curl("ClusterService/GetStatus", shows);
    const [body = "", told] = out.split("\n");
    expect(told).toBe(`401 ${spoken}`);
    expect(JSON.parse(body)).toMatchObject({ code: "unauthenticated" });
  });
});
