/** The text that base64 encodes, in whichever line lengths; undefined where it is no base64. */
export function decodeBase64(encoded: string): string | undefined {
  const compact = encoded.replace(/\s+/g, "");
  if (compact.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(compact)) return undefined;
  return new TextDecoder().decode(Uint8Array.from(atob(compact), (char) => char.charCodeAt(0)));
}
