import { describe, expect, test } from "vitest";
import type { RpmCalls } from "../../../../src/updater/package/rpm/calls.ts";
import { covers, refuseRemovals, removedBy } from "../../../../src/updater/package/rpm/refuse-removals.ts";
import { agent, change, fileOf } from "./on-host.ts";

describe("what a package takes the place of", () => {
  test.each([
    { order: "<=", version: "2-1", installed: "0:2-7.el9", is: false },
    { order: ">", version: "2", installed: "0:2-1", is: false },
    { order: ">=", version: "2", installed: "0:1-1", is: false },
    { order: "", version: "2", installed: "5:9-9", is: true },
    { order: "<", version: "", installed: "5:9-9", is: true },
  ])("$order $version covers $installed: $is", ({ order, version, installed, is }) => {
    expect(covers({ name: "companion", order, version }, installed)).toBe(is);
  });
});

describe("what files would take the place of", () => {
  const files = [fileOf(agent, "2-1", "/kept/a.rpm"), fileOf("data", "2-1", "/kept/b.rpm")] as const;

  /** An rpm whose files obsolete these, on a host with those. */
  function rpm(obsoleted: string, installed: string): { readonly ask: RpmCalls["ask"]; readonly asked: string[] } {
    const asked: string[] = [];
    const ask: RpmCalls["ask"] = async (args) => {
      asked.push(args.filter((arg) => !arg.includes("%")).join(" "));
      return { status: 0, stdout: args.includes("-qp") ? obsoleted : installed, output: "" };
    };
    return { ask, asked };
  }

  test("is what is installed and meant, once, and no member of the set itself", async () => {
    const { ask, asked } = rpm(
      "old\t<\t2\nold\t<\t3\nnew\t<\t2\nabsent\t\t\ndata\t<\t9\n",
      "old\t0:1-1\nnew\t0:2-1\npackage absent is not installed\n",
    );
    expect(await removedBy(ask, files)).toEqual(["old"]);
    expect(asked).toEqual(["-qp --nosignature --qf /kept/a.rpm /kept/b.rpm", "-q --qf old new absent"]);
  });

  test("is not asked of rpm where they take nobody's place but that of kernels beside each other", async () => {
    const { ask, asked } = rpm("data\t<\t9\n", "data\t0:1-1\n");
    const kernel = fileOf("kernel-core", "6.3-1", "/kept/k.rpm");
    expect(await removedBy(ask, [...files, kernel])).toEqual(["other versions of kernel-core"]);
    expect(asked).toHaveLength(1);
  });

  test("is refused with its name and a command that shows it; nothing is no reason", async () => {
    await expect(refuseRemovals(rpm("old\t\t\n", "old\t0:1-1\n"), change("2-1"), files)).rejects.toMatchObject({
      code: "plan-refused",
      message: "installing svc-ent 2-1 from its file would remove old",
      hint: "see what it takes the place of with `rpm -qp --obsoletes /kept/a.rpm /kept/b.rpm`",
    });
    await expect(refuseRemovals(rpm("", ""), change("2-1"), files)).resolves.toBeUndefined();
  });
});
