import { deepEqual, equal, ok } from "node:assert/strict";
import { emptyCaches } from "../../system/lab/package-tools.ts";
import { expectFailed } from "../expect-pass.ts";
import { publishAs } from "../mislabelled.ts";
import { recordOf } from "../record.ts";
import { inEachFamily, type Row } from "../scenario.ts";
import type { Stage } from "../stage.ts";
import { retry, serve, withSettings } from "../staging.ts";
import { packageVersion } from "../../system/lab/package.ts";

/** Files that are other packages than the repository's signed list says. */
export const otherNames: Row = {
  scenarios: [
    ...inEachFamily(50, "the file that is offered as the agent is another package", async (stage) => {
      await emptyCaches(stage.host);
      await offerEvil(stage, { name: "svc-ent", version: packageVersion(stage.host, "15.9.1") }, "15.9.1");
    }),
    ...inEachFamily(50, "the same, and nothing is kept for a rollback", async (stage) => {
      await emptyCaches(stage.host);
      const as = { name: "svc-ent", version: packageVersion(stage.host, "15.9.2") };
      await withSettings(stage, "keep_previous: never\n", () => offerEvil(stage, as, "15.9.2"));
    }),
    ...inEachFamily(50, "the file of a dependency is another package", async (stage) => {
      await emptyCaches(stage.host);
      const version = await stage.publish({ depends: ["libmain"] });
      await offerEvil(stage, { name: "libmain", version: packageVersion(stage.host, "1.0") }, version);
      await stage.repository.withdraw("svc-ent", version);
    }),
  ],
  unstaged: [],
};

/** Serves the version, with a foreign package under that name in its plan: nothing is installed, and nothing held against the version. */
async function offerEvil(stage: Stage, as: { readonly name: string; readonly version: string }, version: string): Promise<void> {
  const { host, repository } = stage;
  const evil = { name: "evil", version: packageVersion(host, "6.6.6") };
  await publishAs(stage, evil, as);
  serve(stage, version);
  const { outcome } = await expectFailed(stage, 69, { step: "keep", code: "package-mislabelled" });
  ok(outcome.kind === "failed");
  for (const named of [as, evil])
    ok(outcome.fault.message.includes(`${named.name} ${named.version}`), `it does not say what was ${named.name}`);
  const installed = host.family === "apt" ? ["dpkg-query", "--show", evil.name] : ["rpm", "--query", evil.name];
  equal((await host.enter(installed)).status, 1);
  const { rejected, backoff } = recordOf(host);
  deepEqual(rejected, []);
  equal(backoff?.cause.code, "package-mislabelled");
  await repository.withdraw(evil.name, "6.6.6");
  await retry(stage);
}
