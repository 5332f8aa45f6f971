import assert from "node:assert";
import type * as AnswerModule from "../../../src/cluster/auth/saml-answer.ts";
import type * as FaultModule from "../../../src/rules/fault/fault.ts";
import { near } from "../mutate.ts";
import type { Random } from "../random.ts";
import { moduleOf } from "../source.ts";
import { target, type Target } from "../target.ts";

/** The part of the library that is used here: its own types bring the browser's, which contradict node's. */
type Dom = {
  readonly DOMParser: new (options: { readonly errorHandler: (level: string, message: string) => void }) => {
    readonly parseFromString: (text: string, type: string) => { readonly documentElement: XmlElement | null };
  };
};
type XmlElement = {
  readonly localName: string | null;
  readonly attributes: ArrayLike<{ readonly name: string }>;
  readonly getElementsByTagName: (name: string) => ArrayLike<XmlElement>;
};

function element(random: Random, depth = 0): string {
  const name = random.pick(["a", "saml:Assertion", "Response", "samlp:StatusCode", "_", "a-b", "é"]);
  const quote = random.pick(['"', "'"]);
  const attributes = random
    .several(
      0,
      3,
      () =>
        `${random.pick([" ", "\n", "  "])}${random.pick(["ID", "x:Algorithm", "xmlns:x", "xmlns", "b"])}${random.pick(["=", " = "])}${quote}${random.pick(["", "a", "a>b", "/", "&lt;", "'\"".replace(quote, ""), "]]>"])}${quote}`,
    )
    .join("");
  const space = random.pick(["", "", " "]);
  if (depth > 4 || random.onceIn(3)) return `<${name}${attributes}${space}/>`;
  const inside = random.several(0, 3, () => random.pick(["text", ">", "&amp;", "", element(random, depth + 1)])).join("");
  return `<${name}${attributes}${space}>${inside}</${name}${space}>`;
}

/** The scan bounds what the library's parser has to do, so that parser must find the same elements. */
export const samlTarget: Target = target({
  name: "saml",
  generate: near((random) => `${random.pick(["", '<?xml version="1.0"?>', " \n"])}${element(random)}`),
  load: async (source) => {
    const { elementsIn } = await moduleOf<typeof AnswerModule>(source, "cluster/auth/saml-answer.ts");
    const { Fault } = await moduleOf<typeof FaultModule>(source, "rules/fault/fault.ts");
    // oxlint-disable-next-line no-unnecessary-type-assertion -- leaves the library\'s own types unread
    const { DOMParser } = (await import("@xmldom/xmldom" as string)) as Dom;
    return {
      read: (input) => {
        let found: ReturnType<typeof elementsIn>;
        try {
          found = elementsIn(input);
        } catch (thrown) {
          if (!(thrown instanceof Fault)) throw thrown;
          return { kind: "refused", told: [thrown.message] };
        }
        const faults: string[] = [];
        const errorHandler = (level: string, message: string): void => {
          if (level !== "warning") faults.push(message);
        };
        const { documentElement: root } = new DOMParser({ errorHandler }).parseFromString(input, "text/xml");
        const parsed = root === null ? [] : [root, ...Array.from(root.getElementsByTagName("*"))];
        if (faults.length === 0) {
          const shown = parsed.map(({ localName, attributes }) => [localName, attributes.length]);
          assert.deepEqual(
            shown,
            found.map(({ name, attributes }) => [name, attributes.length]),
          );
        }
        return { kind: "accepted", value: found.length };
      },
    };
  },
});
