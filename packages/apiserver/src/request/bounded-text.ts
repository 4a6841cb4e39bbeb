/**
 * At most so many characters, as text of its own: V8 makes a slice refer to the text that it was cut from, so that 512 characters of a
 * header would keep a megabyte in memory.
 */
export const boundedText = (text: string, most: number): string => (text.length <= most ? text : copied(text, most));

/** The same of a text that may itself be a slice. */
export const copied = (text: string, most: number): string => Buffer.from(text.slice(0, most)).toString();
