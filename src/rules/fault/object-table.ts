/** Faults of svc-kube-updater alone. Statuses follow sysexits.h. */
const rows = {
  "object-absent": { exit: 69, meaning: "there is no object of that name" },
  "container-absent": { exit: 69, meaning: "the object has no container of that name" },
  "annotation-invalid": { exit: 78, meaning: "an annotation of the object says what cannot be" },
  "tag-unreadable": { exit: 69, meaning: "the image's tag names no version as `object.tag` says it should" },
  "version-untaggable": { exit: 69, meaning: "no tag can name the served version" },
  "record-unreadable": { exit: 69, meaning: "the record cannot be read, so the updater acts on nothing" },
  "api-unreachable": { exit: 75, meaning: "the API server does not answer" },
  "not-acted": { exit: 75, meaning: "the updater has not acted yet on what it was asked for" },
  "api-refused": { exit: 77, meaning: "the API server refuses it: the service account lacks a right, or its token is not valid" },
  "report-only": { exit: 78, meaning: "`mode: report` is set: the updater changes nothing, and acts on nothing" },
} as const;

export type ObjectFaultCode = keyof typeof rows;

export const objectFaultTable: Readonly<Record<ObjectFaultCode, { readonly exit: number; readonly meaning: string }>> = rows;

export function isObjectCode(code: string): code is ObjectFaultCode {
  return Object.hasOwn(rows, code);
}
