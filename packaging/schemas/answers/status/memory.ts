import { ofAnyRelease } from "../../any-release.ts";
import { decision, fault, orderlyEnds, otherEnds, recovered, stepName } from "../../parts.ts";
import { count, eitherOf, instant, list, record, text, truth, type JsonSchema, type Keys } from "../../shapes.ts";

const pass: JsonSchema = ofAnyRelease(
  record("one pass", {
    always: {
      id: text("names it in the log"),
      at: instant("when it began"),
      seconds: count("how long it took"),
      outcome: eitherOf("how it ended", [...orderlyEnds, ...otherEnds]),
      steps: list(
        "the steps of its move, or of what it recovered, in their order; empty where there was neither",
        record("one step", { always: { step: stepName, ms: count("how long it took, in milliseconds") } }),
      ),
    },
    sometimes: {
      installed: text("the version that it found installed"),
      served: text("the version that the channel served, or none"),
      channel: text("the channel that it asked; left out where it ended before the settings were read"),
      decision: { ...decision, description: "what it decided, and why; left out where a fault ended it before" },
      fault: { ...fault, description: "what ended it" },
      recovered,
      unanswered: {
        ...fault,
        description: "why the server gave no answer, where the decision did not need one: that of a repair",
      },
    },
  }),
);

const packaged = text("the version of the package, as the package manager writes it");

export const memoryKeys: Required<Keys> = {
  always: {
    contact: record("with the version server; empty where there was none yet", {
      always: {},
      sometimes: {
        at: instant("when it answered last"),
        served: text("the version that it served then, or none"),
        critical: truth("whether that version counts as critical"),
        doubt: text("why that version does not count as critical yet, although it was called so, for people"),
        silent: instant("since when it does not answer; left out while it does"),
        channels: text("the digest of the channels, as the instance said that answered last"),
      },
    }),
    rejected: list(
      "versions that are not tried again until retry, another package of them is offered, or a newer one does well here",
      record("one of them", {
        always: {
          version: text("the served version"),
          package: packaged,
          at: instant("when it was rejected"),
          why: text("why, for people"),
        },
      }),
    ),
    passes: list("the last ten, newest first", pass),
    kept: list(
      "the packages that are kept here for a rollback",
      record("one of them", {
        always: { package: packaged, file: text("the name of its file"), bytes: count("how large that is") },
        sometimes: {
          along: list("the packages that move along and are kept with it", text("the name of one")),
          objection: text("why it can no longer be rolled back to, for people"),
        },
      }),
    ),
  },
  sometimes: {
    success: instant("when the last pass began that ended without a fault"),
    wait: record("after a failure that was not the version's own", {
      always: {
        version: text("the served version that was being moved to; another one ends the wait"),
        until: instant("its end"),
        failures: count("how many times in a row it failed"),
        fault: { ...ofAnyRelease(fault), description: "the last failure" },
      },
    }),
    flapping: record("answers alternate between two configurations of channels: instances of the version server disagree", {
      always: {
        channels: list("their digests, that of the last answer first", text("one of the two")),
        at: instant("when the last one came back"),
        told: text("what it means, for people"),
        lift: text("what whoever runs the servers can do"),
      },
    }),
    alternating: record("the channel went back within hours to a version that it had served before, or to an earlier decision", {
      always: {
        versions: list(
          "the version that came back, and the other; twice the same where only decisions went back",
          text("one of the two"),
        ),
        at: instant("when it came back"),
        told: text("what it means, for people"),
        lift: text("what whoever runs the servers can do"),
      },
    }),
    operator: record("an administrator has to look before anything moves again", {
      always: { at: instant("since when"), why: text("why, for people") },
    }),
    previous: record("where rollback goes", {
      always: { version: text("the version"), package: packaged, left: instant("when it was left") },
    }),
    step: record("in hand where a pass is running, else where one did not finish", {
      always: { step: stepName, version: text("the version that is moved to"), at: instant("when it began") },
    }),
  },
};
