/** Go escapes what could be taken for markup or a line end in a script. Outside of strings these characters do not occur. */
export function escapeLikeGo(text: string): string {
  if (
    !text.includes("<") &&
    !text.includes(">") &&
    !text.includes("&") &&
    !text.includes("\u2028") &&
    !text.includes("\u2029")
  )
    return text;
  return text.replaceAll(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
