/** The name of the updater's package. */
export const packageName = "svc-ent-updater";

/** What both package formats say about every package of the project. */
export const maintainer = "The svc-upgrade authors <svc-upgrade@packages.example.com>";

export const change = "The changes are in the history of the project.";
