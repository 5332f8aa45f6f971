import type { Answer } from "../answer.ts";
import { eitherOf, list, record, text, truth } from "../shapes.ts";

const name = text("as it stands in a URL, with its slashes");

const channel = eitherOf("one channel", [
  record("a channel that the configuration answers for", {
    always: {
      name,
      static_version: text("the version with its leading v, or none where nothing is to be upgraded at present"),
      critical: truth("whether hosts are to upgrade outside of their windows"),
    },
  }),
  record("a channel that an upstream is asked for", {
    always: { name, forward_url: text("the upstream channel, without its last /version") },
  }),
]);

export const check: Answer = {
  told: "What would be served; where the configuration is wrong, the answer is a fault.",
  commands: ["check"],
  keys: {
    always: {
      config: text("the file that was read"),
      listen: text("the address and port that would be listened on"),
      tls: truth("whether the listener has certificates"),
      public_addr: text("the address and port that clients are told"),
      digest: text("what all instances must have in common; svc-proxy config digest tells the same"),
      channels: list("every channel, default first", channel),
      remarks: list("what is right and yet strange", text("in words, for people")),
    },
  },
};
