import type { Of } from "../../../rules/shape/shape.ts";
import { createHash, randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import type { TokenJson } from "../../api/generated/svc/v1/token_pb.ts";
import { Fault } from "../../../rules/fault/fault.ts";
import { quote } from "../../../rules/text/quote.ts";
import { printHostPort } from "../../../rules/route/host-port.ts";
import { shellWord } from "../../../rules/text/shell-word.ts";
import { askedLabels } from "../asked-labels.ts";
import { askedCount, askedSeconds } from "../asked-time.ts";
import type { Given } from "../../../machine/command-line/row.ts";
import type { TctlContext } from "../context.ts";
import { madeTokenAnswer, removedTokenAnswer, tokensAnswer } from "../json/tokens.ts";
import { writePrivateFile } from "../private-file.ts";
import { say } from "../screen/say.ts";
import { table } from "../../../rules/text/table.ts";
import { refusePerson, type Way } from "../find-way.ts";
import { tellShort, tellTime } from "../../../machine/clocks/tell-time.ts";
import { pages } from "../pages.ts";

/** Enough bytes that nobody can guess the token. */
const tokenBytes = 32;
const mostUses = 1_000_000;
/** The file's name in the printed command, if no file was written here. */
const usualFile = "join-token";

/** Makes the token here, and sends only its digest to auth. */
export async function addToken(context: TctlContext, given: Given): Promise<number> {
  const type = given.text("type") ?? "";
  const uses = given.text("uses");
  const labels = given.text("labels");
  const request = {
    type,
    ttlSeconds: String(askedSeconds(given.text("ttl") ?? "1h", "--ttl")),
    uses: uses === undefined ? 0 : askedCount(uses, { flag: "--uses", most: mostUses }),
    labels: labels === undefined ? {} : askedLabels(labels),
    ephemeral: given.isSet("ephemeral"),
  };
  const way = await context.way();
  if (type !== "node") refusePerson(way, { what: `a token for a host of kind ${type}`, typed: `tctl tokens add --type=${type}` });
  const secret = randomBytes(tokenBytes).toString("hex");
  const digest = createHash("sha256").update(secret).digest("hex");
  const { caPins: pins = [] } = await context.call("ClusterService/GetStatus", {});
  const address = await addressFor(context, way);
  const file = given.text("out");
  // Writes the file first: if that failed later, a token would exist that nobody knows.
  if (file !== undefined) writePrivateFile(file, `${secret}\n`);
  let made: TokenJson;
  try {
    made = (await context.call("TokenService/CreateToken", { digest, ...request })).token ?? {};
  } catch (thrown) {
    if (file !== undefined) rmSync(file, { force: true });
    throw asTyped(thrown);
  }
  // During a rotation there are two pins. The older works until the second step, the newer from then on, so both are printed.
  const pin = pins.length === 0 ? "PIN" : pins.join(",");
  const join = `svc join --auth-server ${shellWord(address)} --token ${shellWord(file ?? usualFile)} --ca-pin ${pin}`;
  const value = { made, secret: file === undefined ? secret : undefined, file, join, pins };
  return say(context, { shape: madeTokenAnswer, value, text: () => madeScreen(value) });
}

/** The address for the printed command. A signed-in person gets the session's proxy, which passes hosts on to auth. */
async function addressFor({ place }: TctlContext, way: Way): Promise<string> {
  return way.kind === "person" ? printHostPort(way.profile.proxy) : (await place()).authAddress;
}

/** Replaces the field names of auth's schema by the options that the user typed. */
function asTyped(thrown: unknown): unknown {
  if (!(thrown instanceof Fault) || thrown.wrong.length === 0) return thrown;
  const { code, message, hint } = thrown;
  const wrong = thrown.wrong.map((one) => ({
    ...one,
    at: one.at.replace(/^\.ttlSeconds/, "--ttl in seconds").replace(/^\.(uses|labels)/, "--$1"),
  }));
  return new Fault(code, { message, hint, wrong, cause: thrown });
}

type Made = Of<typeof madeTokenAnswer>;

function madeScreen({ made, secret, file, join }: Made): string {
  const { type = "", expires = "", uses = 0, name = "" } = made;
  const times = uses === 0 ? "" : uses === 1 ? ", once" : `, ${uses} times`;
  const until = `${quote(type)} token ${quote(name)}, good until ${tellTime(expires)}${times}`;
  const place =
    file === undefined
      ? `${until}.\nIt is shown only now:\n\n  ${secret ?? ""}\n\nPut it into the file ${usualFile} on the host that is to join, and type there:\n`
      : `${until}.\nIt is in ${quote(file, 200)}\n\nTake that file to the host that is to join, and type there:\n`;
  return `${place}\n  sudo ${quote(join, 1000)}\n`;
}

export async function listTokens(context: TctlContext): Promise<number> {
  const found: TokenJson[] = [];
  for await (const { tokens = [] } of pages((page) => context.call("TokenService/ListTokens", page))) found.push(...tokens);
  return say(context, { shape: tokensAnswer, value: found, text: () => listScreen(found) });
}

function listScreen(tokens: readonly TokenJson[]): string {
  if (tokens.length === 0) return "no token is good: `tctl tokens add --type=node` makes one\n";
  return table(
    ["Token", "Type", "Good until", "Used", "By", "Labels"],
    tokens.map(({ name = "", type = "", expires = "", uses = 0, used = 0, createdBy = "", labels = {}, ephemeral }) => [
      name,
      type,
      tellShort(expires),
      uses === 0 ? String(used) : `${used}/${uses}${used < uses ? "" : " (used up)"}`,
      createdBy,
      [...Object.entries(labels).map(([key, label]) => `${key}=${label}`), ...(ephemeral === true ? ["(ephemeral)"] : [])].join(
        ",",
      ),
    ]),
  );
}

export async function removeToken(context: TctlContext, { arguments: [name = ""] }: Given): Promise<number> {
  if (!/^[0-9a-f]{16}$/.test(name)) {
    // Does not repeat the text, which may be the token itself.
    throw new Fault("usage", { message: "a token's name has 16 hexadecimal digits", hint: "`tctl tokens ls` shows the names" });
  }
  await context.call("TokenService/DeleteToken", { name });
  return say(context, {
    shape: removedTokenAnswer,
    value: name,
    text: () => `token ${name} is void; instances that joined with it stay\n`,
  });
}
