import type { ChangedJson } from "../../api/generated/svc/v1/resource_pb.ts";
import { isClusterFault } from "../../../rules/fault/tell-fault.ts";
import { Fault } from "../../../rules/fault/fault.ts";
import type { Given } from "../../../machine/command-line/row.ts";
import type { TctlContext } from "../context.ts";
import { changesAnswer } from "../json/changed.ts";
import { readDocuments, type ReadDocument } from "../read-documents.ts";
import { readInput } from "../read-input.ts";
import { say } from "../screen/say.ts";
import { nameOf, tellChanged } from "../sentences.ts";

/** Makes the resources of a file. Reads the whole file before it sends anything. */
export async function create(context: TctlContext, given: Given): Promise<number> {
  const [path = ""] = given.arguments;
  const { text, file } = readInput(path);
  const reading = await readDocuments(text);
  if (reading.kind === "faults") {
    const { wrong } = reading;
    throw new Fault("resource-invalid", {
      message: `${file} has ${wrong.length === 1 ? "a fault" : `${wrong.length} faults`}; nothing of it was sent`,
      hint: `correct ${wrong.length === 1 ? "it" : "them"}, and type the same again`,
      wrong,
    });
  }
  const done: ChangedJson[] = [];
  for (const document of reading.documents) {
    try {
      done.push(await send(context, document, given.isSet("force") ? "overwrite" : "create"));
    } catch (thrown) {
      throw partly(thrown, { document, done, all: reading.documents, path });
    }
  }
  return say(context, { shape: changesAnswer, value: done, text: () => done.map(tellChanged).join("") });
}

async function send(context: TctlContext, { value }: ReadDocument, mode: "create" | "overwrite"): Promise<ChangedJson> {
  const request = { resource: value as never };
  const { changed = {} } =
    mode === "create"
      ? await context.call("ResourceService/CreateResource", request)
      : await context.call("ResourceService/UpsertResource", request);
  return changed;
}

type Partly = {
  readonly document: ReadDocument;
  readonly done: readonly ChangedJson[];
  readonly all: readonly ReadDocument[];
  readonly path: string;
};

/** Adds what became of each resource, if auth refuses one of several. */
function partly(thrown: unknown, { document, done, all, path }: Partly): unknown {
  if (!isClusterFault(thrown)) return thrown;
  const { code, message, hint, wrong } = thrown;
  const left = all.slice(done.length + 1);
  const story = [
    ...done.map((changed) => `${tellChanged(changed).split("\n")[0]}`),
    ...left.map(({ resource }) => `${nameOf(resource.kind, resource.metadata.name)} was not sent`),
  ];
  return new Fault(code, {
    message: [message, ...story].join("\n"),
    // Only this command line needs the flag. What else stands in the way it does not overwrite.
    hint:
      code === "resource-exists" && path !== "-" && hint.includes("`tctl create -f FILE`")
        ? `overwrite what is there: \`tctl create -f ${path}\``
        : hint,
    wrong: wrong.map((one) => ({ ...one, at: document.placed(one.at) })),
    cause: thrown,
  });
}
