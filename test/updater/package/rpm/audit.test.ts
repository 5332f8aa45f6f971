import { describe, expect, test } from "vitest";
import { auditRpm, severalIn } from "../../../../src/updater/package/rpm/examine.ts";
import { rpmThatSays } from "./says.ts";

describe("the audit of rpm's database", () => {
  test("names what is there more than once, below its root", async () => {
    const { run, asked } = rpmThatSays("svc-ent\tx86_64\nsvc-ent\tx86_64\nbash\tx86_64\n");
    expect(await auditRpm({ run, root: "/mnt" })).toEqual(["svc-ent is there more than once"]);
    expect(asked.map(({ argv }) => argv.slice(0, 4))).toEqual([["rpm", "--root", "/mnt", "-qa"]]);
    expect(await auditRpm({ run: rpmThatSays("bash\tx86_64\n").run, root: "/" })).toEqual([]);
  });

  test("names each once, but no kernels, no keys, and nothing that is there for several architectures", () => {
    const listing = [
      "bash\tx86_64",
      "svc-ent\tx86_64",
      "libfoo\tx86_64",
      "libfoo\ti686",
      "kernel-core\tx86_64",
      "kernel-core\tx86_64",
      "gpg-pubkey\t(none)",
      "gpg-pubkey\t(none)",
      "svc-ent\tx86_64",
      "svc-ent\tx86_64",
      "",
      "",
    ];
    expect(severalIn(listing.join("\n"))).toEqual(["svc-ent"]);
    expect(severalIn("")).toEqual([]);
  });

  test.each([
    ["with a status", { status: 1 }],
    ["though it ends well", { stderr: "error: rpmdb: BDB0113 Thread died" }],
  ])("is a fault where rpm cannot read it, and says so %s", async (_title, more) => {
    await expect(auditRpm({ run: rpmThatSays("", more).run, root: "/" })).rejects.toMatchObject({ code: "database-broken" });
  });
});
