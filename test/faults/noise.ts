/** A shell command that prints bytes which no reader takes for text, the same in every run; for files of up to half a megabyte. */
export const noise = "seq 400000 | gzip -n | tail -c 500000";
