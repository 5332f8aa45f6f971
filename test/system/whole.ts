/**
 * Asked for by `WHOLE=1`: also what a run leaves out for its time, because another column of the table stands for it, or every
 * scenario shows it in passing.
 */
export const isWhole: boolean = process.env["WHOLE"] === "1";
