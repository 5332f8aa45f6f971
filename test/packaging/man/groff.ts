import { spawnSync } from "node:child_process";

export const hasGroff: boolean = spawnSync("groff", ["--version"]).error === undefined;

/** As a terminal of 80 columns shows it, without colour and weight. A warning of groff is a failure. */
export function rendered(page: string): string {
  const asked = ["-man", "-ww", "-Tutf8", "-P-cbou", "-rLL=80n"];
  const { status, stdout, stderr } = spawnSync("groff", asked, { input: page, encoding: "utf8", timeout: 30_000 });
  if (status !== 0 || stderr !== "") throw new Error(`groff ended with ${status} and said: ${stderr}`);
  return stdout;
}
