import { onTestFinished, test } from "vitest";
import { startWithHosts } from "./hosts.ts";
import { startOverTls } from "./over-tls.ts";
import { startWithPeople } from "./people.ts";
import { startRunning } from "./running.ts";

/** Tests of which each has auth for itself, as it starts without changes. It starts where a test names it. */
function testWith<T extends AsyncDisposable>(start: () => Promise<T>) {
  return test.extend("running", async () => {
    const running = await start();
    onTestFinished(() => running[Symbol.asyncDispose]());
    return running;
  });
}

export const testRunning = testWith(startRunning);
export const testWithHosts = testWith(startWithHosts);
export const testWithPeople = testWith(startWithPeople);
export const testOverTls = testWith(startOverTls);
