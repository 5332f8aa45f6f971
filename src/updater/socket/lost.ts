/** The other side ended the connection, so nobody knows what became of the request. */
export class Lost extends Error {}

/** The other side sent more than any answer may have. */
export class SaidTooMuch extends Lost {}
