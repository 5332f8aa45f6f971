/** The other side is gone, and what became of the request is not known. */
export class Lost extends Error {}

/** It is not whole: no answer is as long. */
export class SaidTooMuch extends Lost {}
