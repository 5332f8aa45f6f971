import { describe, expect, test } from "vitest";
import { makeRoot, missingForRoots, program, start, versionsOfFile, type Ended, type Root } from "./given.ts";

const missing = missingForRoots();

const versions = await versionsOfFile();
versions.serve({ version: "v15.4.6" });

/** An agent one version behind, and a window so far away that its distance is told in days. */
function host(): Root {
  const root = makeRoot("15.4.5");
  root.write("etc/svc-upgrade/10-test.yaml", `endpoint: ${versions.url}\n`);
  root.write("etc/svc-upgrade.d/schedule", "4000000000 4000003600\n");
  return root;
}

const berlin = { TZ: "Europe/Berlin" };

type Row = {
  readonly command: readonly string[];
  readonly status: number;
  readonly says: RegExp;
  readonly env?: Readonly<Record<string, string>>;
};

/** Without the root's own name, which lines are broken by. */
function comparable({ status, stdout, stderr }: Ended, root: Root): object {
  const told = (text: string): string => text.replaceAll(root.path, "ROOT").replace(/\s+/g, " ");
  return { status, stdout: told(stdout), stderr: told(stderr) };
}

/** Most tests call the program in their own process: this is where it is seen that a shell gets the same. */
describe.skipIf(missing !== undefined)("the program as a shell starts it", () => {
  test.each<Row>([
    { command: ["--help"], status: 0, says: /^Usage: svc-upgrade / },
    { command: ["status"], status: 0, says: /^Not known yet: [^]*GMT\+\d/, env: berlin },
    { command: ["schedule", "--at", "tomorrow"], status: 0, says: /GMT\+\d/, env: berlin },
    { command: ["dry-run", "--at", "2099-01-01 01:00", "--json"], status: 0, says: /"at":"2099-01-01T00:00:00Z"/, env: berlin },
    { command: ["retry"], status: 0, says: /^nothing was held back/ },
    { command: ["hold", "--until", "2099-01-01 01:00"], status: 0, says: /2099-01-01 01:00 GMT\+1/, env: berlin },
  ])("$command ends and says as it does within the tests' own process", async ({ command, status, says, env = {} }) => {
    const roots = [host(), host()] as const;
    const argv = ({ path }: Root): readonly string[] =>
      ["--help", "version", "dry-rnu"].includes(command[0] ?? "") ? command : [...command, "--root", path];
    const shell = await start(argv(roots[0]), { env }).ended;
    expect([shell.status, shell.stdout]).toEqual([status, expect.stringMatching(says)]);
    const within = await program(argv(roots[1]), { env });
    expect(comparable(shell, roots[0])).toEqual(comparable(within, roots[1]));
  });
});
