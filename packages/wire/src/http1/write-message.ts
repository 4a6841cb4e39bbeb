import type { Field } from "./field.js";

/** Text of header lines, one character per byte. */
export function writeFields(fields: readonly Field[]): string {
  let text = "";
  for (const { name, value } of fields) text += `${name}: ${value}\r\n`;
  return text;
}

/** A head and what of the body is there already, as one piece: one write, one packet. */
export function joinHead(head: string, body: Buffer | undefined): Buffer {
  const bytes = Buffer.allocUnsafe(head.length + (body ? body.length : 0));
  bytes.write(head, 0, "latin1");
  if (body) body.copy(bytes, head.length);
  return bytes;
}

/** The body's bytes as one chunk (RFC 9112, section 7.1). */
export function encodeChunk(data: Buffer): Buffer {
  const size = `${data.length.toString(16)}\r\n`;
  const bytes = Buffer.allocUnsafe(size.length + data.length + 2);
  bytes.write(size, 0, "latin1");
  data.copy(bytes, size.length);
  bytes.write("\r\n", size.length + data.length, "latin1");
  return bytes;
}

/** What ends a body of chunks. */
export const encodeLastChunk = (trailers: readonly Field[]): Buffer =>
  Buffer.from(`0\r\n${writeFields(trailers)}\r\n`, "latin1");
