/** TLS records and the handshake message in them (RFC 8446, sections 4.1.2 and 5.1). */
const handshakeRecord = 22;
const clientHello = 1;
const serverNameExtension = 0;
/** A hello is some hundred bytes, with keys against quantum computers two thousand: longer ones are refused. */
const maxHelloBytes = 16 * 1024;

export interface ClientHello {
  /** In lower case; empty: the client named none. */
  readonly serverName: string;
}

/** The beginning of a connection with TLS. Undefined: more bytes are needed; `none`: it is no TLS. */
export function readClientHello(bytes: Buffer): ClientHello | "none" | undefined {
  const message = joinRecords(bytes);
  if (message === "none") return "none";
  if (message.length < 4) return undefined;
  const length = message.readUIntBE(1, 3);
  if (message[0] !== clientHello || length > maxHelloBytes) return "none";
  if (message.length < 4 + length) return undefined;
  try {
    return { serverName: serverNameOf(message.subarray(4, 4 + length)) };
  } catch (error) {
    if (error instanceof RangeError) return "none"; // a length in it leads beyond its end
    throw error;
  }
}

/** The handshake bytes of the first records: a hello may be cut into several. */
function joinRecords(bytes: Buffer): Buffer | "none" {
  const parts: Buffer[] = [];
  let total = 0;
  for (let at = 0; at < bytes.length && total <= maxHelloBytes; ) {
    if (bytes[at] !== handshakeRecord || (at + 1 < bytes.length && bytes[at + 1] !== 3)) return "none";
    if (at + 5 > bytes.length) break;
    const length = bytes.readUInt16BE(at + 3);
    // An empty one would be a hello that never comes to its end.
    if (length === 0 || length > maxHelloBytes) return "none";
    const part = bytes.subarray(at + 5, at + 5 + length);
    parts.push(part);
    total += part.length;
    if (total >= 4 && Buffer.concat(parts).readUIntBE(1, 3) + 4 <= total) break;
    at += 5 + length;
  }
  return Buffer.concat(parts);
}

/** @throws RangeError */
function serverNameOf(hello: Buffer): string {
  let at = 2 + 32; // version, random
  at += 1 + hello.readUInt8(at); // session
  at += 2 + hello.readUInt16BE(at); // cipher suites
  at += 1 + hello.readUInt8(at); // compression methods
  if (at === hello.length) return "";
  const end = at + 2 + hello.readUInt16BE(at);
  if (end > hello.length) throw new RangeError("extensions are longer than the message");
  for (at += 2; at < end; ) {
    const type = hello.readUInt16BE(at);
    const length = hello.readUInt16BE(at + 2);
    at += 4;
    if (type === serverNameExtension) return readNames(hello.subarray(at, at + length));
    at += length;
  }
  return "";
}

/** RFC 6066, section 3: a list with one name of type 0. @throws RangeError */
function readNames(extension: Buffer): string {
  if (extension.readUInt8(2) !== 0) return "";
  const length = extension.readUInt16BE(3);
  if (5 + length > extension.length) throw new RangeError("the name is longer than its extension");
  const name = extension.toString("latin1", 5, 5 + length).toLowerCase();
  return /^[\w.-]*$/.test(name) ? name : "";
}
