// Reads a JSON report of vitest: counts | failures | again | whole | slowest REPORT
import { readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";

const [what, path] = process.argv.slice(2);
const report = JSON.parse(readFileSync(path, "utf8"));
const files = report.testResults.map((file) => ({ ...file, name: file.name.replace(/^.*?\/(?=test\/)/, "") }));
const failedIn = ({ assertionResults }) => assertionResults.filter(({ status }) => status === "failed");
/** Those that could not even be read, or whose hooks failed. */
const broken = files.filter((file) => file.status === "failed" && failedIn(file).length === 0);

/** What the gate's list does not name is no part of its run; its other tests tell that they were begun. */
const isGate = files.some(({ assertionResults }) => assertionResults.some(({ meta }) => meta.begun));
const leftOut = files
  .flatMap(({ assertionResults }) => assertionResults)
  .filter(({ status, meta }) => status !== "passed" && status !== "failed" && (!isGate || meta.begun));

const printed = {
  counts: () => [[report.numPassedTests, report.numFailedTests + broken.length, leftOut.length].join(" ")],
  /** What to play once more: the file, a pattern of the test's full title ("-": all that the run plays of the file), and the title. */
  again: () => [
    ...files.flatMap((file) =>
      failedIn(file)
        .map(({ ancestorTitles, title }) => [...ancestorTitles, title].join(" > "))
        .map((title) => [file.name, `^${title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`, title].join("\t")),
    ),
    ...broken.map(({ name }) => [name, "-", name].join("\t")),
  ],
  /** The files all of whose tests passed, none left out. */
  whole: () =>
    files
      .filter(
        ({ assertionResults }) => assertionResults.length > 0 && assertionResults.every(({ status }) => status === "passed"),
      )
      .map(({ name }) => name),
  failures: () => [
    ...files.flatMap((file) =>
      failedIn(file).map(({ fullName, failureMessages }) => `${file.name}: ${fullName}: ${firstLine(failureMessages[0])}`),
    ),
    ...broken.map(({ name, message }) => `${name}: ${firstLine(message)}`),
  ],
  slowest: () =>
    files
      .map(({ name, startTime, endTime }) => ({ name, seconds: Math.round((endTime - startTime) / 1000) }))
      .toSorted((one, other) => other.seconds - one.seconds)
      .slice(0, 12)
      .map(({ name, seconds }) => `${String(seconds).padStart(6)}  ${name}`),
};

function firstLine(message = "") {
  return stripVTControlCharacters(message).trim().split("\n")[0] || "no message";
}

for (const line of printed[what]()) console.log(line);
