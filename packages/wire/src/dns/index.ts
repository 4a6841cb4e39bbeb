export {
  codeOfType,
  nameOfResponseCode,
  nameOfType,
  opcodes,
  recordClasses,
  recordTypes,
  type RecordTypeName,
  responseCodes,
} from "./codes.js";
export { decodeMessage } from "./decode-message.js";
export { encodeMessage, maxMessageOctets } from "./encode-message.js";
export { DnsError } from "./dns-error.js";
export type { Edns, EdnsOption, Header, Message, Question } from "./message.js";
export type {
  AddressRecord,
  MxRecord,
  OtherRecord,
  RecordHead,
  ResourceRecord,
  SoaRecord,
  SrvRecord,
  TargetRecord,
  TxtRecord,
} from "./resource-record.js";
export { checkName, isInZone, splitLabels, trimRoot } from "./name.js";

export { headerOctets, type HeaderAndCounts, readHeader, readQuestion } from "./decode-message.js";
export { MessageReader } from "./message-reader.js";
export { type RecordPlace, type Section, type SectionCounts, walkRecords } from "./walk-records.js";
