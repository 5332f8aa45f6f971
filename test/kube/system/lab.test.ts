import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { runProgram } from "../../system/lab/program.ts";
import { inLab, inNamespace, type Rule } from "../lab/namespace.ts";
import { statefulSet } from "../lab/stateful-set.ts";

/** The lab itself: what the other tests rest on. */

const rules: readonly Rule[] = [
  { apiGroups: ["apps"], resources: ["statefulsets"], verbs: ["create", "get", "list", "watch"] },
  { apiGroups: [""], resources: ["pods"], verbs: ["get", "list", "watch"] },
];
const inTime = "--timeout=20s";
const threeReady = (name: string): readonly string[] => [
  "wait",
  "--for=jsonpath={.status.availableReplicas}=3",
  `statefulset/${name}`,
  inTime,
];

describe("a control plane of the lab", () => {
  test(
    "makes the three pods of a StatefulSet ready",
    inNamespace(rules, async ({ account: { kubectl } }) => {
      await kubectl(["create", "--filename=-"], statefulSet({ name: "agent", image: "svc:1.0.0" }));
      await kubectl(threeReady("agent"));
      const pods = "--output=jsonpath={.items[*].metadata.name}";
      expect(await kubectl(["get", "pods", pods])).toBe("agent-0 agent-1 agent-2");
    }),
  );

  test(
    "lets a service account do what its rules say, and nothing else",
    inNamespace(rules, async ({ account: { kubectl } }) => {
      await kubectl(["create", "--filename=-"], statefulSet({ name: "agent", image: "svc:1.0.0" }));
      await expect(kubectl(["delete", "statefulset/agent"])).rejects.toThrow(/statefulsets.apps "agent" is forbidden/);
      await expect(kubectl(["get", "secrets"])).rejects.toThrow(/secrets is forbidden/);
      await expect(kubectl(["get", "pods", "--namespace=default"])).rejects.toThrow(/in the namespace "default"/);
    }),
  );

  describe.each([
    { image: "svc:bad", look: "Running False " },
    { image: "svc:crash", look: "Running False CrashLoopBackOff" },
    { image: "svc:nopull", look: "Pending False ErrImagePull" },
  ])("of the image $image", ({ image, look }) => {
    test(
      "leaves the first pod ill, and starts no second one",
      inNamespace(rules, async ({ account: { kubectl } }) => {
        const seen = (path: string): Promise<string> => kubectl(["get", "pod/ill-0", `--output=jsonpath=${path}`]);
        await kubectl(["create", "--filename=-"], statefulSet({ name: "ill", image }));
        await kubectl(["wait", "--for=create", "pod/ill-0", inTime]);
        await kubectl(["wait", "--for=jsonpath={.status.containerStatuses[0].ready}=false", "pod/ill-0", inTime]);
        const version = await seen("{.metadata.resourceVersion}");
        await kubectl(["create", "--filename=-"], statefulSet({ name: "well", image: "svc:1.0.0" }));
        await kubectl(threeReady("well"));
        expect(
          await seen(
            '{.status.phase} {.status.conditions[?(@.type=="Ready")].status} {.status.containerStatuses[0].state.waiting.reason}',
          ),
        ).toBe(look);
        expect(await seen("{.metadata.resourceVersion}")).toBe(version);
        expect(await kubectl(["get", "pods", "--output=name"])).not.toContain("ill-1");
      }),
    );
  });

  test(
    "gives a healthy pod its readiness back, as after its node was away",
    inNamespace(rules, async ({ admin, account: { kubectl } }) => {
      await kubectl(["create", "--filename=-"], statefulSet({ name: "agent", image: "svc:1.0.0" }));
      await kubectl(threeReady("agent"));
      const away = { status: { conditions: [{ type: "Ready", status: "False", reason: "NodeNotReady" }] } };
      await admin(["patch", "pod/agent-0", "--subresource=status", `--patch=${JSON.stringify(away)}`]);
      await kubectl(["wait", "--for=condition=Ready", "pod/agent-0", inTime]);
      expect(await kubectl(["get", "pod/agent-0", "--output=jsonpath={.status.conditions[*].reason}"])).not.toContain(
        "NodeNotReady",
      );
    }),
  );
});

test(
  "npm run kube:lab leaves nothing behind when it is told to end",
  inLab(async () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, "../lab/run.ts")], { stdio: ["ignore", "pipe", "inherit"] });
    const isOver = once(child, "close");
    let said = "";
    for await (const chunk of child.stdout) {
      said += String(chunk);
      if (said.includes("Ctrl-C")) break;
    }
    const folder = dirname(/KUBECONFIG=(\S+)/.exec(said)?.[1] ?? "");
    const running = async (): Promise<readonly string[]> =>
      (await runProgram(["pgrep", "--full", folder])).stdout.split("\n").filter((line) => line !== "");
    expect(await running()).toHaveLength(5);
    child.kill("SIGTERM");
    expect(await isOver).toEqual([0, null]);
    expect(await running()).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  }),
);
