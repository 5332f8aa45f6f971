/** For every test file: a property that failed tells the seed that it drew, and SEED gives it that one. */
const seed = process.env["SEED"];
if (seed !== undefined) {
  const { configureGlobal } = await import("fast-check");
  configureGlobal({ seed: Number(seed) });
}
