const longest = 63 + 1 + 32;

/** The key of a map as a path shows it: a name that is too long is cut in the middle. */
export function shortened(key: string): string {
  const bytes = new TextEncoder().encode(key);
  if (bytes.length <= longest) return key;
  const rest = longest - 3;
  const text = new TextDecoder();
  return `${text.decode(bytes.subarray(0, Math.floor((rest + 1) / 2)))}...${text.decode(bytes.subarray(bytes.length - Math.floor(rest / 2)))}`;
}
