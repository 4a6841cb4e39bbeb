/** Bytes that are no DNS message, or a name or value that has no place in one. */
export class DnsError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "DnsError";
  }
}
