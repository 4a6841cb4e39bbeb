/** What a user named is not to become markup. */
export const escapeMarkup = (text: string): string =>
  text.replace(/[&<>]/g, (char) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[char] ?? char);
