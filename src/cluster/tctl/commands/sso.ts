import type { SignInTestJson } from "../../api/generated/svc/v1/session_pb.ts";
import type { Given } from "../../../machine/command-line/row.ts";
import { Fault } from "../../../rules/fault/fault.ts";
import { faultLines } from "../../../rules/fault/fault-lines.ts";
import { tellFault } from "../../../rules/fault/tell-fault.ts";
import { isMapping } from "../../../rules/shape/reading.ts";
import { quote } from "../../../rules/text/quote.ts";
import { table } from "../../../rules/text/table.ts";
import { showAddress, untilAnswered } from "../../session/to-browser.ts";
import type { TctlContext } from "../context.ts";
import { signInTestAnswer } from "../json/sign-in-test.ts";
import { say } from "../screen/say.ts";

const longestTold = 200;

/** Plays a sign-in without keeping anything. Fails if the person would be refused, but shows what came all the same. */
export async function testSignIn(context: TctlContext, given: Given): Promise<number> {
  const [connector = ""] = given.arguments;
  const { error, environment, stopping } = context.surroundings;
  const { id = "", url = "" } = await context.call("SessionService/BeginSignInTest", { connector });
  showAddress(url, { transport: await context.transport(), out: error, environment }, "somebody may sit here");
  const test = await untilAnswered(async () => (await context.call("SessionService/AwaitSignInTest", { id })).test, stopping);
  await say(context, { shape: signInTestAnswer, value: test, text: () => tellTest(test) });
  const { refused = "", hint = "" } = test;
  if (refused === "") return 0;
  // Writes the fault to standard error only, because standard output already has the answer.
  const fault = tellFault(new Fault("sign-in-refused", { message: refused, hint }), "tctl");
  error(faultLines(fault));
  return fault.exit;
}

function tellTest({ connector, user = "", claims, mapping = [], roles = [], refused }: SignInTestJson): string {
  // A row of a GitHub connector names an organization and a team, as the claim `teams` does.
  const isGithub = connector?.startsWith("github/") === true;
  const sent = Object.entries(isMapping(claims) ? claims : {});
  const end =
    refused === undefined
      ? `${told(user)} would be signed in through ${told(connector)} with the roles ${roles.map(told).join(", ")}\n`
      : `Nobody would be signed in through ${told(connector)}\n`;
  return [
    table(
      ["Claim", "Value"],
      sent.map(([name, value]) => [told(name), told(value)]),
    ),
    "\n",
    table(
      ["Row", "Fits", "Roles"],
      mapping.map(({ name, value, roles: given = [], fits = false }) => [
        isGithub ? `${told(name)}/${told(value)}` : `${told(name)} = ${told(value)}`,
        fits ? "yes" : "no",
        given.map(told).join(", "),
      ]),
    ),
    `\n${end}`,
  ].join("");
}

function told(value: unknown): string {
  const text = Array.isArray(value)
    ? value.map((one) => told(one)).join(", ")
    : typeof value === "string"
      ? value
      : JSON.stringify(value);
  return quote(text, longestTold);
}
