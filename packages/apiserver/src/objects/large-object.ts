/** Between the steps of work on what is larger others may run; for the rest asking costs more than it brings. */
const largeBytes = 64 << 10;

export const isLarge = (bytes: number): boolean => bytes > largeBytes;

/** Decoding, tracking fields, validation and encoding take about 0.1 s each for a megabyte. */
export const microsPerByte = 0.1;
