import { dirname, join } from "node:path";
import { openCluster } from "../../../src/cluster/auth/cluster.ts";
import { startAuth } from "../../../src/cluster/auth/service.ts";
import { removalsBeside } from "../../../src/cluster/storage/removals.ts";
import { openSqliteStore } from "../../../src/cluster/storage/sqlite.ts";
import { configuration } from "./running.ts";

/** Auth in a process of its own, with the limits that are shipped, in the directory that it is given: says where, and serves until it is ended. */
const path = join(process.argv[2] ?? "", "store", "cluster.db");
const store = await openSqliteStore({ path, release: "15.4.5" });
const now = (): number => Math.floor(Date.now() / 1000);
const auth = await startAuth({
  configuration,
  dataDirectory: dirname(dirname(path)),
  store,
  removals: removalsBeside(path),
  log: (level, sentence, fields = {}) => process.stderr.write(`${level} ${sentence} ${JSON.stringify(fields)}\n`),
  now,
  version: "15.4.5",
  hostname: "auth1",
});
const { facts, authorities } = await openCluster(store, { name: configuration.clusterName, now: now() });
const { port, diagnosticsPort, socketPath } = auth;
process.stdout.write(
  `${JSON.stringify({ port, diagnosticsPort, socketPath, cluster: facts.id, ca: authorities.signing.certificate })}\n`,
);
