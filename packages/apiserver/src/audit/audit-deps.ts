import type { Attributes } from "../authorization/attributes.js";
import type { Level } from "./audit-event.js";
import type { RecordDeps } from "./audit-record.js";
import type { Ruling } from "./policy.js";

/** What the audit filters rest on. */
export interface AuditDeps extends RecordDeps {
  /** The policy's verdict on a request. */
  ruling(attributes: Attributes): Ruling;
  onLevel(level: Level): void;
  /** A request was refused because it could not be recorded. */
  onRejected(): void;
}
