import { expect, test } from "vitest";
import { variablesAsInUnits } from "../../../packaging/bench/variables.ts";
import { steeringVariables } from "../../steering-variables.ts";

test("a program is timed without any variable that its units unset, and with all others", () => {
  const set = Object.fromEntries(steeringVariables.map(({ name }) => [name, "set"]));
  const kept = steeringVariables.filter(({ units }) => units === "let it be").map(({ name }) => [name, "set"]);
  expect(variablesAsInUnits({ ...set, LD_PRELOAD: "set", PATH: "/usr/bin" })).toEqual({
    ...Object.fromEntries(kept),
    PATH: "/usr/bin",
  });
});
