const encoder = new TextEncoder();

export const utf8 = (text: string): Uint8Array => encoder.encode(text);

export const concat = (...parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts);

export const newline = utf8("\n");
