/** The whole run (`npm run whole`) plays some tests in a size that `npm test` has no time for. */
export const isWhole: boolean = process.env["WHOLE"] !== undefined;
