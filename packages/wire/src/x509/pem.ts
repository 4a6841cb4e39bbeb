/** One block of a PEM file. */
export interface PemBlock {
  /** For example `CERTIFICATE`. */
  readonly label: string;
  readonly bytes: Buffer;
}

export function encodePem(label: string, bytes: Uint8Array): string {
  const lines =
    Buffer.from(bytes)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.map((line) => `${line}\n`).join("")}-----END ${label}-----\n`;
}

/** Every whole block; text between blocks is passed over, and so is a block whose content is no base64. */
export function decodePem(text: string): PemBlock[] {
  const blocks: PemBlock[] = [];
  // Each part begins after a block's first line; what stands before the first one is no part of any.
  for (const part of text.split(/^-----BEGIN /m).slice(1)) {
    const end = /-----END ([A-Z0-9 ]+)-----/.exec(part);
    const label = /^([A-Z0-9 ]+)-----[ \t]*\r?\n/.exec(part);
    if (!end || !label || end[1] !== label[1]) continue;
    // Headers ("Proc-Type: 4,ENCRYPTED") end with an empty line. Each line is cut at its first colon only: with a choice, this would be exponential.
    const body = part
      .slice(label[0].length, end.index)
      .replace(/^(?:[^\n:]*:[^\n]*\n)+\r?\n/, "")
      .replace(/\s+/g, "");
    if (/^[A-Za-z0-9+/]*={0,2}$/.test(body) && body.length % 4 === 0)
      blocks.push({ label: label[1]!, bytes: Buffer.from(body, "base64") });
  }
  return blocks;
}

export const certificateLabel = "CERTIFICATE";
export const certificateRequestLabel = "CERTIFICATE REQUEST";

/** The certificates of a bundle, in order. */
export const decodeCertificates = (text: string): Buffer[] =>
  decodePem(text)
    .filter((block) => block.label === certificateLabel)
    .map((block) => block.bytes);
