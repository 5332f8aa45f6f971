import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { certificateFor } from "../../demo/cluster/certificate.ts";
import { until } from "../../system/lab/until.ts";
import type { Stage } from "./namespace.ts";

/** What a webhook says of an image: "broken" answers 500, "silent" nothing; a status is of its own making. */
export type WebhookAnswer =
  | "allowed"
  | "broken"
  | "silent"
  | { readonly image: string }
  | { readonly status: { readonly message: string; readonly code?: number } };

type Review = {
  readonly request: {
    readonly uid: string;
    readonly object: {
      readonly spec: { readonly template: { readonly spec: { readonly containers: [{ readonly image: string }] } } };
    };
  };
};

const place = "/spec/template/spec/containers/0/image";

/** An admission webhook for changes of this namespace's StatefulSets, without which none is made; asked from when it resolves. */
export async function webhook(
  { admin, namespace }: Pick<Stage, "admin" | "namespace">,
  kind: "Mutating" | "Validating",
  answer: (image: string) => WebhookAnswer,
): Promise<AsyncDisposable> {
  let isAsked = false;
  const { certificate, privateKey } = await certificateFor("127.0.0.1");
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { uid, object } = ((await json(request)) as Review).request;
    isAsked = true;
    const said = answer(object.spec.template.spec.containers[0].image);
    if (said === "silent") return;
    if (said === "broken") {
      response.writeHead(500).end("the store is away");
      return;
    }
    const told = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response: { uid, ...responseOf(said) } };
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(told));
  };
  const server = createServer({ cert: certificate, key: privateKey }, (request, response) => void respond(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const configuration = `${kind}WebhookConfiguration`;
  await admin(["create", "--filename=-"], {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: configuration,
    metadata: { name: namespace },
    webhooks: [
      {
        name: "images.example.com",
        admissionReviewVersions: ["v1"],
        clientConfig: { url: `https://127.0.0.1:${port}/`, caBundle: Buffer.from(certificate).toString("base64") },
        failurePolicy: "Fail",
        namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
        rules: [{ apiGroups: ["apps"], apiVersions: ["v1"], operations: ["UPDATE"], resources: ["statefulsets"] }],
        sideEffects: "None",
        timeoutSeconds: 2,
      },
    ],
  });
  // What it says to this does not matter.
  const tried = (): Promise<unknown> =>
    admin(["set", "image", "statefulset/agent", "svc=svc:tried", "--dry-run=server"]).catch(String);
  await until("the webhook is asked", 20_000, () => tried().then(() => (isAsked ? true : undefined)));
  return {
    async [Symbol.asyncDispose]() {
      await admin(["delete", `${configuration.toLowerCase()}/${namespace}`]);
      server.closeAllConnections();
      server.close();
    },
  };
}

function responseOf(said: Exclude<WebhookAnswer, "broken" | "silent">): object {
  if (said === "allowed") return { allowed: true };
  if ("status" in said) return { allowed: false, status: said.status };
  const patch = Buffer.from(JSON.stringify([{ op: "replace", path: place, value: said.image }])).toString("base64");
  return { allowed: true, patchType: "JSONPatch", patch };
}
