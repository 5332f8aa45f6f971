import type { Example } from "../examples.ts";

export const examples: readonly Example[] = [
  { aim: "Take an invitation", typed: ["tsh invite"] },
  { aim: "Sign in", typed: ["tsh login --proxy=proxy.example.com --user=alice"] },
  {
    aim: "In a program: the roles of now, with commas between",
    typed: ["tsh status -f json | jq -r '.active.roles | join(\",\")'"],
  },
  { aim: "Leave nothing behind", typed: ["tsh logout"] },
];
