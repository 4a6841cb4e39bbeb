/** The sentences that string checks share. Checks return sentences; an empty list means the value is good. */
export type Problems = string[];

/** A pattern with the sentence that upstream prints when a value does not match. */
export const regexMessage = (message: string, pattern: string, ...examples: readonly string[]): string => {
  const shown = examples.map((example) => `'${example}', `).join(" or ");
  return `${message} (${shown === "" ? "" : `e.g. ${shown}`}regex used for validation is '${pattern}')`;
};

/** Upstream has two wordings of this limit; both count bytes. */
export const maxLengthMessage = (bytes: number): string => `must be no more than ${bytes} characters`;
export const maxBytesMessage = (bytes: number): string => `must be no more than ${bytes} bytes`;

export const emptyMessage = "must be non-empty";

export const rangeMessage = (low: number, high: number): string => `must be between ${low} and ${high}, inclusive`;
