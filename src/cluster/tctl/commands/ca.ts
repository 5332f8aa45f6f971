import type { RotateAuthorityResponseJson } from "../../api/generated/svc/v1/cluster_pb.ts";
import { quote } from "../../../rules/text/quote.ts";
import type { Given } from "../../../machine/command-line/row.ts";
import type { TctlContext } from "../context.ts";
import { rotationAnswer } from "../json/ca.ts";
import { say } from "../screen/say.ts";
import { table } from "../../../rules/text/table.ts";
import { refusePerson } from "../find-way.ts";

export async function rotateAuthority(context: TctlContext, given: Given): Promise<number> {
  refusePerson(await context.way(), { what: "rotating the certificate authority", typed: "tctl ca rotate" });
  const value = await context.call("ClusterService/RotateAuthority", { force: given.isSet("force") });
  return say(context, { shape: rotationAnswer, value, text: () => screen(value) });
}

function screen({ step, caPins = [], unseen = 0, unseenBy = [] }: RotateAuthorityResponseJson): string {
  const pins = caPins.map((pin) => `  ${quote(pin, 80)}\n`).join("");
  if (step === "finished") {
    const left = unseen === 0 ? "" : `${whoHas(unseen)} not seen it, and must join again:\n${names(unseenBy)}`;
    return `the older certificate authority is gone; trusted from now on:\n${pins}${left}`;
  }
  const waiting =
    unseen === 0
      ? "nobody has to hear of it"
      : `${whoHas(unseen)} to hear of it: within six hours where svc runs, at once after \`sudo systemctl reload svc\` there; an sshd after \`sudo svc ssh setup\` on its host`;
  return `a newer certificate authority was made; both are trusted from now on:\n${pins}${waiting}\nnext: \`tctl ca rotate\` once more takes the older away\n`;
}

function whoHas(count: number): string {
  return count === 1 ? "1 instance has" : `${count} instances have`;
}

function names(unseenBy: NonNullable<RotateAuthorityResponseJson["unseenBy"]>): string {
  return table(
    ["Server ID", "Hostname", "Kind"],
    unseenBy.map(({ id = "", hostname = "", kind = "" }) => [id, hostname, kind]),
  );
}
