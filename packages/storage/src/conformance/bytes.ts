const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const bytes = (text: string): Uint8Array => encoder.encode(text);
export const text = (value: Uint8Array | undefined): string | undefined => value && decoder.decode(value);
