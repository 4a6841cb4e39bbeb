/** The base64 form of a text's UTF-8 bytes. */
export function base64OfText(text: string): string {
  let bytes = "";
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return btoa(bytes);
}

/** The text of UTF-8 bytes in base64; broken bytes become replacement characters. */
export function textOfBase64(base64: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
}
