/** The other side is gone; what became of the request is unknown. */
export class Lost extends Error {}

/** Longer than any answer may be. */
export class SaidTooMuch extends Lost {}
