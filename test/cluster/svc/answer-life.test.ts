import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { answerLife } from "../../../src/cluster/svc/answer-life.ts";

const aMillisecond = (): Promise<void> => sleep(2);

test("it is over until auth has answered, and again once that was too long ago", async () => {
  let now = 100;
  const life = answerLife(() => now);
  expect(life.isOver()).toBe(true);
  life.begin(900);
  expect(life.isOver()).toBe(false);
  now += 899;
  await aMillisecond();
  expect(life.isOver()).toBe(false);
  now += 1;
  await aMillisecond();
  expect(life.isOver()).toBe(true);
  life.begin(900);
  expect(life.isOver()).toBe(false);
});
