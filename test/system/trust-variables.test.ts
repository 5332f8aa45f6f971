import { describe, expect, test } from "vitest";
import { scenario } from "./lab/scenario.ts";
import { configure, outdatedHost, withUpdater } from "./updater.ts";

const bookworm = withUpdater({ suite: "bookworm" });
/** Where the authority lies under the name that OpenSSL looks for in a directory, and a pipe that nobody writes to. */
const place = "/tmp/trust";

describe("SSL_CERT_FILE and SSL_CERT_DIR", () => {
  test(
    "make nobody trusted, take nobody's trust away, and hold nothing up",
    scenario(bookworm, async (stage) => {
      const { host, versions } = stage;
      await outdatedHost(stage);
      await host.mustRun(["mkdir", place]);
      await host.copyIn(versions.authority.caFile, `${place}/ca.pem`);
      await host.mustRun([
        "sh",
        "-c",
        `cd ${place} && ln -s ca.pem "$(openssl x509 -in ca.pem -noout -subject_hash).0" && mkfifo pipe`,
      ]);
      await configure(host, `endpoint: ${versions.httpsEndpoint}\n`);
      const asked = async (env: Readonly<Record<string, string>>): Promise<object> => {
        const patience = ["timeout", "--kill-after=1", "20"];
        const { status, stdout, stderr } = await host.run([...patience, "svc-upgrade", "dry-run"], { env });
        return { status, stdout, stderr };
      };
      const variables = [
        { SSL_CERT_FILE: `${place}/ca.pem`, SSL_CERT_DIR: place },
        { SSL_CERT_FILE: `${place}/pipe`, SSL_CERT_DIR: `${place}/nothing` },
      ];
      const refused = await asked({});
      expect(refused).toMatchObject({ stderr: expect.stringContaining("is not trusted") });
      for (const env of variables) expect(await asked(env)).toEqual(refused);

      await versions.authority.trustIn(host);
      const believed = await asked({});
      expect(believed).toMatchObject({ status: 0, stdout: "an upgrade is available (15.4.5 -> 15.4.6)\n" });
      for (const env of variables) expect(await asked(env)).toEqual(believed);
    }),
  );
});
