/** Asked for by `SID=1`: also what Debian is going to be, whose mirror moves from day to day. Before a release, not in CI. */
export const isNextAskedFor: boolean = process.env["SID"] === "1";
