import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Fault, type Wrong } from "../../../rules/fault/fault.ts";
import { quote } from "../../../rules/text/quote.ts";
import { errnoWords } from "../../../machine/files/errno.ts";
import { isMapping } from "../../../rules/shape/reading.ts";
import type { Given } from "../../../machine/command-line/row.ts";
import type { TctlContext } from "../context.ts";
import { parseOne } from "../resource-argument.ts";
import { printYaml } from "../print-yaml.ts";
import { readDocuments } from "../read-documents.ts";
import { nameOf, tellChanged } from "../sentences.ts";

/** The editor if none is set. Minimal hosts have no other. */
const usualEditor = "vi";
const remark = "#! ";

type Named = { readonly kind: string; readonly name: string };

/** Opens a resource in the editor until auth accepts it or the user leaves it unchanged. The typed text is always kept. */
export async function edit(context: TctlContext, { arguments: [word = ""] }: Given): Promise<number> {
  const named = parseOne(word);
  const { out } = context.surroundings;
  const { resource } = await context.call("ResourceService/GetResource", named);
  const before = await printYaml(isMapping(resource) ? [resource] : []);
  const directory = mkdtempSync(join(tmpdir(), "tctl-edit-"));
  const file = join(directory, `${named.kind}.yaml`);
  const editing: Editing = { context, named, file, before };
  try {
    const changed = await untilTaken(editing, before);
    rmSync(directory, { recursive: true, force: true });
    out(changed === undefined ? `${nameOf(named.kind, named.name)} is as it was\n` : changed);
    return 0;
  } catch (thrown) {
    if (isAsItWas(editing)) rmSync(directory, { recursive: true, force: true });
    else context.surroundings.error(`what you typed is kept in ${file}\n`);
    throw thrown;
  }
}

type Editing = { readonly context: TctlContext; readonly named: Named; readonly file: string; readonly before: string };

async function untilTaken(editing: Editing, first: string): Promise<string | undefined> {
  const { context, named, file, before } = editing;
  let refusedText: string | undefined;
  for (let shown = first; ;) {
    writeFileSync(file, shown, { mode: 0o600 });
    await openEditor(context.surroundings.environment, file);
    const text = withoutRemarks(readFileSync(file, "utf8"));
    if (text === before || text.trim() === "") return undefined;
    const came = await attempt(editing, text);
    if (came.kind === "taken") return came.told;
    // The user closed a refused text unchanged, and so gives up.
    if (text === refusedText) throw came.fault;
    refusedText = text;
    shown = withRemarks(text, came.fault, named);
  }
}

type Attempt = { readonly kind: "taken"; readonly told: string } | { readonly kind: "refused"; readonly fault: Fault };

async function attempt({ context, named, file }: Editing, text: string): Promise<Attempt> {
  const reading = await readDocuments(text);
  if (reading.kind === "faults") return refused(named, file, reading.wrong);
  const [document, ...others] = reading.documents;
  const found = document?.resource;
  if (document === undefined || others.length > 0 || found?.kind !== named.kind || found.metadata.name !== named.name) {
    return refused(named, file, [
      {
        at: "",
        found: "another resource, or several",
        allowed: `${named.kind}/${named.name} alone; others are made by \`tctl create\``,
      },
    ]);
  }
  try {
    const { changed = {} } = await context.call("ResourceService/UpsertResource", {
      resource: document.value as never,
      mustExist: true,
    });
    return { kind: "taken", told: tellChanged(changed) };
  } catch (thrown) {
    // Opens the text again only for a fault that an edit can correct.
    if (!(thrown instanceof Fault) || (thrown.code !== "resource-invalid" && thrown.code !== "request-refused")) throw thrown;
    const { code, message, hint, wrong } = thrown;
    return {
      kind: "refused",
      fault: new Fault(code, {
        message,
        hint,
        wrong: wrong.map((one) => ({ ...one, at: document.placed(one.at) })),
        cause: thrown,
      }),
    };
  }
}

function refused({ kind, name }: Named, file: string, wrong: readonly Wrong[]): Attempt {
  return {
    kind: "refused",
    fault: new Fault("resource-invalid", {
      message: `${nameOf(kind, name)} was not changed`,
      hint: `correct the file and type \`tctl create -f ${file}\``,
      wrong,
    }),
  };
}

function withRemarks(text: string, { message, wrong }: Fault, { kind, name }: Named): string {
  const faults = wrong.map(
    ({ at, found, allowed }) => `${at}${at === "" ? "" : ": "}${found}${allowed === "" ? "" : `; allowed: ${allowed}`}`,
  );
  // Remarks at the top, which line numbers do not count.
  const told = [
    `${kind}/${name} was not taken: ${message}`,
    ...faults,
    "Correct it below; leave the file as it is to give up. Lines count without these.",
  ];
  return `${told.map((line) => `${remark}${quote(line, 500)}\n`).join("")}${text}`;
}

function withoutRemarks(text: string): string {
  return text
    .split("\n")
    .filter((line) => !line.startsWith(remark))
    .join("\n");
}

function isAsItWas({ file, before }: Editing): boolean {
  try {
    return withoutRemarks(readFileSync(file, "utf8")) === before;
  } catch {
    return true;
  }
}

/** Runs the editor with its options, as in `code --wait`. Does not use a shell. */
async function openEditor(environment: TctlContext["surroundings"]["environment"], file: string): Promise<void> {
  const asked = [environment["VISUAL"], environment["EDITOR"]].find((one) => one !== undefined && one.trim() !== "");
  const named = asked ?? usualEditor;
  const [program = usualEditor, ...options] = named.trim().split(/\s+/);
  const why = await new Promise<string | undefined>((resolve) => {
    const editor = spawn(program, [...options, file], { stdio: "inherit" });
    editor.once("error", (error) => resolve(errnoWords(error)));
    editor.once("close", (status, signal) => {
      if (signal !== null) resolve(`it was ended by ${signal}`);
      else resolve(status === 0 ? undefined : `it ended with status ${status}`);
    });
  });
  if (why === undefined) return;
  throw new Fault("file-failed", {
    message: `the editor "${quote(named)}" did not do its work: ${why}`,
    hint: "choose one: `EDITOR=nano tctl edit …`",
  });
}
