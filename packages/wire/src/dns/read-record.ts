import { formatAddress } from "../bytes/ip-address.js";
import { recordTypes } from "./codes.js";
import { DnsError } from "./dns-error.js";
import type { MessageReader } from "./message-reader.js";
import type { RecordHead, ResourceRecord } from "./resource-record.js";

/** A record of the code `type`, whose `length` octets of data begin at the reader's offset. They must be used up. */
export function readRecordData(reader: MessageReader, head: RecordHead, type: number, length: number): ResourceRecord {
  const start = reader.take(length);
  const messageEnd = reader.end;
  reader.offset = start;
  reader.end = start + length;
  const record = readKnown(reader, head, type) ?? { ...head, type: "other", code: type, data: reader.octets(length) };
  if (reader.offset !== reader.end)
    throw new DnsError(`data of a record of type ${type} has another length than it has`);
  reader.end = messageEnd;
  return record;
}

function readKnown(reader: MessageReader, head: RecordHead, type: number): ResourceRecord | undefined {
  switch (type) {
    case recordTypes.A:
      return { ...head, type: "A", address: address(reader, 4) };
    case recordTypes.AAAA:
      return { ...head, type: "AAAA", address: address(reader, 16) };
    case recordTypes.CNAME:
      return { ...head, type: "CNAME", target: reader.name() };
    case recordTypes.NS:
      return { ...head, type: "NS", target: reader.name() };
    case recordTypes.PTR:
      return { ...head, type: "PTR", target: reader.name() };
    case recordTypes.MX:
      return { ...head, type: "MX", preference: reader.uint16(), target: reader.name() };
    case recordTypes.SRV:
      return {
        ...head,
        type: "SRV",
        priority: reader.uint16(),
        weight: reader.uint16(),
        port: reader.uint16(),
        target: reader.name(),
      };
    case recordTypes.TXT:
      return { ...head, type: "TXT", texts: texts(reader) };
    case recordTypes.SOA:
      return {
        ...head,
        type: "SOA",
        nameServer: reader.name(),
        mailbox: reader.name(),
        serial: reader.uint32(),
        refresh: reader.uint32(),
        retry: reader.uint32(),
        expire: reader.uint32(),
        minimum: reader.uint32(),
      };
  }
  return undefined;
}

function address(reader: MessageReader, length: number): string {
  const at = reader.take(length);
  return formatAddress(reader.bytes.subarray(at, at + length))!;
}

function texts(reader: MessageReader): string[] {
  const all: string[] = [];
  while (reader.offset < reader.end) all.push(Buffer.from(reader.octets(reader.uint8())).toString("latin1"));
  return all;
}
