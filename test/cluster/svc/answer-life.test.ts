import { expect, test } from "vitest";
import { answerLife } from "../../../src/cluster/svc/answer-life.ts";

test("it is over until auth has answered, and again once that was too long ago", () => {
  let now = 100;
  const life = answerLife(() => now);
  expect(life.isOver()).toBe(true);
  life.begin(900);
  expect(life.isOver()).toBe(false);
  now += 899;
  expect(life.isOver()).toBe(false);
  now += 1;
  expect(life.isOver()).toBe(true);
  life.begin(900);
  expect(life.isOver()).toBe(false);
});
