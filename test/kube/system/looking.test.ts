import { expect, test } from "vitest";
import { until } from "../../system/lab/until.ts";
import type { Kubectl } from "../lab/kubectl.ts";
import { inNamespace } from "../lab/namespace.ts";
import { statefulSet } from "../lab/stateful-set.ts";
import { wayTo } from "../lab/way.ts";
import {
  decided,
  deploymentRules,
  longestMs,
  schedule,
  seen,
  startUpdater,
  trigger,
  updaterRules,
  versionServer,
} from "../lab/updater.ts";

test(
  "says in an Event, a record and its log why a StatefulSet stays, and changes nothing of it",
  inNamespace(updaterRules, async (stage) => {
    const { admin } = stage;
    await admin(["create", "--filename=-"], statefulSet({ name: "agent", image: "registry.example:5000/svc:15.4.5" }));
    await admin(["wait", "--for=jsonpath={.status.availableReplicas}=3", "statefulset/agent", "--timeout=20s"]);
    const before = await seen(admin, "statefulset/agent", "{.metadata.uid} {.metadata.generation} {.spec.template}");

    await using server = await versionServer("v15.4.5");
    await using updater = startUpdater(stage, server.url);
    await updater.said(/^the statefulset is already up to date object=agent current=15\.4\.5 next=15\.4\.5$/m);
    await decided(admin, "current");

    // A newer version, and no schedule.
    await server.serves("v15.4.6");
    await trigger(admin, "1");
    await decided(admin, "schedule-missing");
    expect(await seen(admin, "configmap/statefulset-agent-updater", "{.data.status}")).toMatch(
      /^version: 15\.4\.5\nchannel: default serves 15\.4\.6\ndecision: stay: no valid schedule: there is no Secret release-shared-state$/m,
    );

    await schedule(admin, "2027-01-10T02:00:00Z", "2027-01-10T03:00:00Z");
    await decided(admin, "outside-window");

    await admin(["annotate", "statefulset/agent", "svc.dev/skipreconcile=true"]);
    await decided(admin, "suspended");
    await admin(["annotate", "--overwrite", "statefulset/agent", "svc.dev/skipreconcile=yes"]);
    await decided(admin, "outside-window");

    const told = async (): Promise<readonly string[]> =>
      (
        await admin([
          "get",
          "events.v1.events.k8s.io",
          "--field-selector=reportingController=svc.dev/kube-updater",
          "--output=jsonpath={range .items[*]}{.reason} {.type} {.regarding.name}{'\\n'}{end}",
        ])
      )
        .trim()
        .split("\n")
        .toSorted();
    await until("the Events are there", longestMs, async () => ((await told()).length < 5 ? undefined : true));
    expect(await told()).toEqual([
      "AnnotationIgnored Warning agent",
      "Current Normal agent",
      "OutsideWindow Normal agent",
      "ScheduleMissing Warning agent",
      "Suspended Normal agent",
    ]);
    expect(await seen(admin, "statefulset/agent", "{.metadata.uid} {.metadata.generation} {.spec.template}")).toBe(before);
    expect(await updater.ended("SIGTERM")).toEqual([0, null]);
    expect(updater.log()).not.toMatch(/level=error|warning.*could not/);
  }),
);

const record = "configmap/statefulset-agent-updater";
const version = (admin: Kubectl): Promise<string> => seen(admin, record, "{.metadata.resourceVersion}");

test(
  "remembers in its record: what has not changed is written and told once, by however many updaters",
  inNamespace(updaterRules, async (stage) => {
    const { admin } = stage;
    await admin(["create", "--filename=-"], statefulSet({ name: "agent", image: "svc:15.4.5", replicas: 1 }));
    await admin(["wait", "--for=jsonpath={.status.availableReplicas}=1", "statefulset/agent", "--timeout=20s"]);
    await using server = await versionServer("v15.4.6");
    const said = /^no valid schedule: there is no Secret release-shared-state/m;
    {
      await using updater = startUpdater(stage, server.url);
      await updater.said(said);
      await decided(admin, "schedule-missing");
    }
    const first = await version(admin);
    await using updater = startUpdater(stage, server.url);
    await using other = startUpdater(stage, server.url);
    await Promise.all([updater.said(said), other.said(said)]);
    await trigger(admin, "again");
    await Promise.all([updater, other].map((one) => one.said(/asked for by debug.svc.dev\/trigger-event/)));
    expect(await version(admin)).toBe(first);
    const events = ["get", "events.v1.events.k8s.io", "--field-selector=reportingController=svc.dev/kube-updater"];
    expect(await admin([...events, "--output=jsonpath={.items[*].reason}"])).toBe("ScheduleMissing");

    // Wiped, it is written again; edited, it is left to who can read it.
    await admin(["patch", record, "--type=merge", '--patch={"data":null}']);
    await decided(admin, "schedule-missing");
    await admin(["patch", record, "--type=merge", '--patch={"data":{"record":"not ours"}}']);
    await updater.said(/reason=needs-operator hint="remove the record: `kubectl -n /);
    expect(await seen(admin, record, "{.data.record}")).toBe("not ours");
    await admin(["patch", record, "--type=merge", '--patch={"data":{"record":null}}']);
    await decided(admin, "schedule-missing");

    await admin(["delete", "statefulset/agent"]);
    await decided(admin, "object-absent");
    await admin(["create", "--filename=-"], statefulSet({ name: "agent", image: "svc:latest", replicas: 1 }));
    await decided(admin, "tag-unreadable");
    expect([updater, other].map((one) => one.log()).join("")).not.toMatch(/could not be written/);
  }),
);

test(
  "says of a Deployment that it is paused, and that somebody else's rollout is under way",
  inNamespace(deploymentRules, async (stage) => {
    const { admin } = stage;
    const { spec, ...set } = statefulSet({ name: "agent", image: "svc:15.4.5" }) as { readonly spec: object };
    const { serviceName: _, ...others } = spec as { readonly serviceName: string };
    await admin(["create", "--filename=-"], { ...set, kind: "Deployment", spec: { ...others, paused: true } });
    await using server = await versionServer("v15.4.6");
    await using updater = startUpdater(stage, server.url, (text) => text.replace("StatefulSet", "Deployment"));
    await decided(admin, "not-rolling", "deployment-agent-updater");
    await updater.said(/its rollouts are paused .*hint="`kubectl -n \S+ rollout resume deployment\/agent`"/);
    await admin(["rollout", "resume", "deployment/agent"]);
    await decided(admin, "schedule-missing", "deployment-agent-updater");
    await admin(["set", "image", "deployment/agent", "svc=svc:15.4.4-nopull"]);
    await decided(admin, "rolling", "deployment-agent-updater");
    expect(await seen(admin, "deployment/agent", "{.spec.template.spec.containers[0].image}")).toBe("svc:15.4.4-nopull");
  }),
);

test(
  "sees what has changed while the API server was away",
  inNamespace(updaterRules, async (stage) => {
    const { admin, lab } = stage;
    await admin(["create", "--filename=-"], statefulSet({ name: "agent", image: "svc:15.4.5", replicas: 0 }));
    await using server = await versionServer("v15.4.5");
    await using way = await wayTo(lab.server);
    await using updater = startUpdater(stage, server.url, (text) => text.replace(lab.server, way.url));
    await decided(admin, "current");
    await way.cut();
    await updater.said(/it cannot be watched name=statefulsets\/agent why="[^"]*ECONNREFUSED/);
    await admin(["annotate", "statefulset/agent", "svc.dev/skipreconcile=true"]);
    await schedule(admin, "2027-01-10T02:00:00Z", "2027-01-10T03:00:00Z");
    await way.restore();
    await updater.said(/it can be watched again name=statefulsets\/agent/);
    await decided(admin, "suspended");
    expect(await updater.ended("SIGTERM")).toEqual([0, null]);
  }),
);

test(
  "renews the Event of what concerns somebody, over a restart too",
  inNamespace(updaterRules, async (stage) => {
    const { admin } = stage;
    await admin(["create", "--filename=-"], statefulSet({ name: "agent", image: "svc:15.4.5", replicas: 0 }));
    await using server = await versionServer("v15.4.6");
    const often = (text: string): string => text.replace("gather: 1s", "gather: 1s, remind: 1s");
    const event = (path: string): Promise<string> =>
      admin([
        "get",
        "events.v1.events.k8s.io",
        "--field-selector=reportingController=svc.dev/kube-updater",
        `--output=jsonpath=${path}`,
      ]);
    let [first, last] = ["", ""];
    for (const _ of ["at first", "after a restart"]) {
      await using updater = startUpdater(stage, server.url, often);
      await until("the Event is renewed", longestMs, async () => {
        const renewed = await event("{.items[*].series.lastObservedTime}");
        if (renewed === "" || renewed === last) return undefined;
        last = renewed;
        return true;
      });
      const at = await event("{.items[*].eventTime}");
      expect(at).toBe(first || at);
      first = at;
      expect(await updater.ended("SIGTERM")).toEqual([0, null]);
      expect(updater.log()).not.toMatch(/could not be written/);
    }
    expect(await event("{.items[*].reason}")).toBe("ScheduleMissing");
  }),
);
