import { expect, test } from "vitest";
import { linesFor, refuseUnready } from "../../../src/cluster/svc/cli/ssh.ts";

const lines = linesFor("0b9d7c1e-5f0a-4a7b-9a51-3f0e6a1c2d44", []);
const settings = lines.map(({ word, value }) => `${word.toLowerCase()} ${value}`);
const everything = (): boolean => true;

test("an sshd with all lines and files is ready", () => {
  expect(() => refuseUnready(lines, { settings, isThere: everything })).not.toThrow();
});

test.each([
  ["no file yet", settings, () => false, "there is no /etc/ssh/svc-user-authorities, which sshd needs"],
  [
    "no certificate",
    settings,
    (path: string) => !path.includes("cert"),
    "there is no /etc/ssh/svc-host-cert.pub, which sshd needs",
  ],
  ["three of the lines", settings.slice(1), everything, "sshd does not have TrustedUserCAKeys as the cluster needs it"],
])("an sshd with %s is not ready", (_what, with_, isThere, message) => {
  expect(() => refuseUnready(lines, { settings: with_, isThere })).toThrow(message);
});

test("an sshd that blocks addresses after failed logins has to exempt its own, from which all people come", () => {
  const words = (setting: string): readonly string[] => linesFor("ID", ["port 22", setting]).map(({ word }) => word);
  const usual = lines.map(({ word }) => word);
  expect(words("persourcepenaltyexemptlist none")).toEqual([...usual, "PerSourcePenaltyExemptList"]);
  // An older one takes no line that it does not know.
  expect(words("persourcemaxstartups none")).toEqual(usual);
});
