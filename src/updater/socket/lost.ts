/** The other side ended the connection, so nobody knows what became of the request. */
export class Lost extends Error {}

/** Longer than any answer may be. */
export class SaidTooMuch extends Lost {}
