/** What both package formats say of the program. */
export const packageName = "svc-ent-updater";

export const maintainer = "The svc-upgrade authors <svc-upgrade@packages.example.com>";

export const summary = "keeps the agent of a host on the version its cluster serves";

export const description: readonly string[] = [
  "A timer looks every ten minutes which version of the agent the cluster serves",
  "on its channel. Inside the maintenance window the agent is moved there by the",
  "host's own package manager, verified, and recorded.",
];

export const change = "The changes are in the history of the project.";
