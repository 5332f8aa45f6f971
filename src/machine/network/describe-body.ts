import { describeBody } from "../../rules/channel/body.ts";
import { quote } from "../../rules/text/quote.ts";
import type { Response } from "./request.ts";

/** Describes a body that holds no version. */
export function describe({ body }: Response): string {
  switch (body.kind) {
    case "whole":
      return describeBody(body.bytes);
    case "cut":
      return `more than ${body.bytes.length} bytes`;
    case "encoded":
      return `a body encoded as ${quote(body.encoding)}, although none was asked for`;
  }
}
