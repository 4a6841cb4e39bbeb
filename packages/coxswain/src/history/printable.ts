/**
 * Pure: a text without control characters but line ends and tabs. What is printed has values and names that others wrote: escape
 * sequences in them would change the terminal (kubectl had this as CVE-2021-25743).
 */
export const printable = (text: string): string =>
  text.replaceAll(
    // Formatting characters, too: those that turn the direction of the text hide what it is.
    /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu,
    (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
