/** Whether Go's net.SplitHostPort takes it: one colon after the host, an IPv6 address in brackets, no other bracket. */
export function isHostPort(text: string): boolean {
  const colon = text.lastIndexOf(":");
  if (colon < 0) return false;
  if (!text.startsWith("[")) return !/[:[\]]/.test(text.slice(0, colon)) && !/[[\]]/.test(text.slice(colon + 1));
  const close = text.indexOf("]");
  return close + 1 === colon && !text.slice(1).includes("[") && !text.slice(close + 1).includes("]");
}
