import { recordTypes } from "./codes.js";
import { DnsError } from "./dns-error.js";
import type { Edns, Header, Message } from "./message.js";
import { MessageWriter } from "./message-writer.js";
import type { ResourceRecord } from "./resource-record.js";
import { writeRecord } from "./write-record.js";

/** The largest message: its length over TCP has 16 bits (RFC 1035, section 4.2.2). */
export const maxMessageOctets = 0xffff;

/** Room for a message, and for one record that turns out not to fit in it (a head, 64 KiB of data). */
const room = Buffer.allocUnsafeSlow(2 * 0x1_0000 + 1024);

/**
 * The message in at most `maxOctets`. What does not fit is left out from its first record on, in the order of the sections, and the message
 * is marked as truncated (as `Truncate` in github.com/miekg/dns, msg_truncate.go); OPT stays. Throws `DnsError` where a member has no form
 * in a message.
 */
export function encodeMessage(message: Message, maxOctets = maxMessageOctets): Buffer {
  const writer = new MessageWriter(room);
  const limit = maxOctets - (message.edns ? ednsOctets(message.edns) : 0);
  writer.offset = 12;
  for (const question of message.questions) {
    writer.name(question.name);
    writer.uint16(question.type);
    writer.uint16(question.class);
  }
  const answers = writeFitting(writer, message.answers, limit);
  const isFull = answers < message.answers.length;
  const authorities = isFull ? 0 : writeFitting(writer, message.authorities, limit);
  const isFuller = isFull || authorities < message.authorities.length;
  const additionals = isFuller ? 0 : writeFitting(writer, message.additionals, limit);
  const isTruncated = isFuller || additionals < message.additionals.length;
  if (message.edns) writeEdns(writer, message.edns, message.responseCode);
  const end = writer.offset;
  if (end > maxOctets) throw new DnsError(`a message of ${end} octets does not fit in ${maxOctets}`);
  writer.offset = 0;
  writer.uint16(message.id);
  writer.uint16(flagsOf(message) | (isTruncated ? 0x200 : 0));
  writer.uint16(message.questions.length);
  writer.uint16(answers);
  writer.uint16(authorities);
  writer.uint16(additionals + (message.edns ? 1 : 0));
  return Buffer.from(room.subarray(0, end));
}

/** How many of the records were written until one did not fit. */
function writeFitting(writer: MessageWriter, records: readonly ResourceRecord[], limit: number): number {
  for (const [index, record] of records.entries()) {
    const before = writer.offset;
    if (record.type === "other" && record.data.length > maxMessageOctets)
      throw new DnsError(`a record has ${record.data.length} octets of data`);
    writeRecord(writer, record);
    if (writer.offset <= limit) continue;
    writer.offset = before;
    return index;
  }
  return records.length;
}

/** The second 16 bits of the head. */
function flagsOf(header: Header): number {
  return (
    (header.isResponse ? 0x8000 : 0) |
    ((header.opcode & 0xf) << 11) |
    (header.authoritative ? 0x400 : 0) |
    (header.truncated ? 0x200 : 0) |
    (header.recursionDesired ? 0x100 : 0) |
    (header.recursionAvailable ? 0x80 : 0) |
    (header.authenticData ? 0x20 : 0) |
    (header.checkingDisabled ? 0x10 : 0) |
    (header.responseCode & 0xf)
  );
}

const ednsOctets = ({ options }: Edns): number => options.reduce((octets, { data }) => octets + 4 + data.length, 11);

function writeEdns(writer: MessageWriter, edns: Edns, responseCode: number): void {
  writer.uint8(0);
  writer.uint16(recordTypes.OPT);
  writer.uint16(edns.udpSize);
  writer.uint8(responseCode >> 4);
  writer.uint8(edns.version);
  writer.uint16(edns.dnssecOk ? 0x8000 : 0);
  writer.uint16(ednsOctets(edns) - 11);
  for (const { code, data } of edns.options) {
    writer.uint16(code);
    writer.uint16(data.length);
    writer.octets(data);
  }
}
