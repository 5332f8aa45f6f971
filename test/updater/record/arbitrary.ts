import fc from "fast-check";
import { channelAnswer } from "../../../src/rules/decide/gate-facts.ts";
import {
  answer as answerShape,
  passId,
  request as requestShape,
  type HandedAnswer,
  type AskRequest,
} from "../../../src/updater/record/hand-over.ts";
import { hopCheck, hopNames, type Probe } from "../../../src/updater/record/probe.ts";
import { state as stateShape, type State } from "../../../src/updater/record/state.ts";
import { packageVersion as packageVersionShape, type PackageVersion } from "../../../src/rules/version/wrapped.ts";
import { arbitraryOf, type Manner } from "../../rules/shape/arbitrary.ts";

export const packageVersion: fc.Arbitrary<PackageVersion> = arbitraryOf(packageVersionShape, "plain");
export const request: fc.Arbitrary<AskRequest> = arbitraryOf(requestShape, "any");

export function state(manner: Manner): fc.Arbitrary<State> {
  return arbitraryOf(stateShape, manner);
}

export function answer(manner: Manner): fc.Arbitrary<HandedAnswer> {
  return arbitraryOf(answerShape, manner);
}

/** Every hop in its order. */
export function probe(manner: Manner): fc.Arbitrary<Probe> {
  const checks = fc.tuple(...hopNames.map((name) => arbitraryOf(hopCheck, manner).map((check) => ({ ...check, name }))));
  return fc.record({ pass: arbitraryOf(passId, manner), checks, answer: arbitraryOf(channelAnswer, manner) });
}
