export { attributeWrite, type Attribution, type WriteFacts } from "./attribute-write.js";
export {
  claimCauses,
  causeHeader,
  formatClaim,
  headerText,
  parseClaim,
  type ClaimedCause,
  reasonHeader,
} from "./claim-cause.js";
export { writeFacts, writerOf } from "./write-facts.js";
export { type RecordedWork, recordWork, type WaitingWork, type WorkCause, type WorkRecorder } from "./record-work.js";
