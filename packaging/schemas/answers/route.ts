import type { Answer } from "../answer.ts";
import { oneOf, text, type Keys } from "../shapes.ts";

/** Also of a status. */
export const wayKeys: Required<Keys> = {
  always: {
    route: oneOf("the way", { direct: "without a proxy", proxy: "through an HTTP CONNECT proxy" }),
    rule: text("the rule that decided, and where it stands"),
  },
  sometimes: { proxy: text("the proxy, without user and password; only where the route is proxy") },
};

export const route: Answer = {
  told: "The way to a URL: through a proxy, or not.",
  commands: ["route"],
  keys: { always: { url: text("where to, without user and password"), ...wayKeys.always }, sometimes: wayKeys.sometimes },
};
