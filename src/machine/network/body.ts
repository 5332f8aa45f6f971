import type { Readable } from "node:stream";

/** "cut" holds the bytes below the cap; an "encoded" body is not read. */
export type Body =
  | { readonly kind: "whole"; readonly bytes: Uint8Array }
  | { readonly kind: "cut"; readonly bytes: Uint8Array }
  | { readonly kind: "encoded"; readonly encoding: string };

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export type ResponseHead = { readonly status: number; readonly headers: Headers };

/** Reads a bounded body. A body that is not read to its end is given up with its connection. */
export function readBody(answer: Readable, { status, headers }: ResponseHead, longest: number): Promise<Body> {
  return new Promise((resolve, reject) => {
    const giveUp = (body: Body): void => {
      resolve(body);
      answer.destroy();
    };
    answer.on("error", reject);
    // Does not read a redirect's body: it adds nothing to the location and may never end.
    if (oneOf(headers, "location") !== undefined && status !== 200) {
      giveUp({ kind: "cut", bytes: new Uint8Array() });
      return;
    }
    const encoding = oneOf(headers, "content-encoding");
    if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
      giveUp({ kind: "encoded", encoding });
      return;
    }
    const chunks: Buffer[] = [];
    let length = 0;
    answer.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > longest) giveUp({ kind: "cut", bytes: Buffer.concat(chunks).subarray(0, longest) });
    });
    answer.on("end", () => resolve({ kind: "whole", bytes: Buffer.concat(chunks) }));
  });
}

/** The first value of a header that is sent several times. */
export function oneOf(headers: Headers, name: string): string | undefined {
  const found = headers[name];
  return typeof found === "string" ? found : found?.[0];
}
