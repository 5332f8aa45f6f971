import { beforeEach } from "vitest";

/** Tells a test that skips itself, for want of something on this machine, from one that the gate's list does not name. */
beforeEach(({ task }) => {
  Object.assign(task.meta, { begun: true });
});
