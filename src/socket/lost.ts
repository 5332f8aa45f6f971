/** The other side is gone, and what became of the request is not known. */
export class Lost extends Error {}
