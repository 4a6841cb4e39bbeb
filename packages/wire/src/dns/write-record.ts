import { addressBytes } from "../bytes/ip-address.js";
import { recordTypes } from "./codes.js";
import { DnsError } from "./dns-error.js";
import type { MessageWriter } from "./message-writer.js";
import type { ResourceRecord } from "./resource-record.js";

export function writeRecord(writer: MessageWriter, record: ResourceRecord): void {
  writer.name(record.name);
  writer.uint16(record.type === "other" ? record.code : recordTypes[record.type]);
  writer.uint16(record.class);
  writer.uint32(record.ttl);
  const lengthAt = writer.offset;
  writer.uint16(0);
  writeData(writer, record);
  writer.bytes.writeUInt16BE(writer.offset - lengthAt - 2, lengthAt);
}

function writeData(writer: MessageWriter, record: ResourceRecord): void {
  switch (record.type) {
    case "A":
      return writeAddress(writer, record.address, 4);
    case "AAAA":
      return writeAddress(writer, record.address, 16);
    case "CNAME":
    case "NS":
    case "PTR":
      return writer.name(record.target);
    case "MX":
      writer.uint16(record.preference);
      return writer.name(record.target);
    case "SRV":
      writer.uint16(record.priority);
      writer.uint16(record.weight);
      writer.uint16(record.port);
      return writer.name(record.target, { compress: false });
    case "TXT":
      for (const text of record.texts) writeText(writer, text);
      return;
    case "SOA":
      writer.name(record.nameServer);
      writer.name(record.mailbox);
      for (const value of [record.serial, record.refresh, record.retry, record.expire, record.minimum])
        writer.uint32(value);
      return;
    case "other":
      return writer.octets(record.data);
  }
}

function writeAddress(writer: MessageWriter, address: string, length: number): void {
  const bytes = addressBytes(address);
  if (bytes?.length !== length) throw new DnsError(`${address} is no address of ${length} octets`);
  writer.octets(bytes);
}

function writeText(writer: MessageWriter, text: string): void {
  if (text.length > 255) throw new DnsError(`a text of ${text.length} octets is longer than 255`);
  writer.uint8(text.length);
  writer.octets(Buffer.from(text, "latin1"));
}
