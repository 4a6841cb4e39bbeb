import type { Decoded, DecodeOptions } from "@coxswain/apimachinery/json";
import type { SchemaNode } from "@coxswain/apimachinery/schema";
import type { Steps } from "@coxswain/runtime/steps";

/** A body of which only the head has been looked at. Whatever is wrong with it is a DecodeError. */
export interface SentBody {
  /** As the body has it; "" where it does not. A malformed text may pass here: `checkHead` finds it. */
  readonly apiVersion: string;
  readonly kind: string;
  /** As it was sent. */
  readonly bytes: Uint8Array;
  /** Throws when not even the head can be read. */
  checkHead(): Steps<void>;
  decode(node: SchemaNode, options: DecodeOptions): Steps<Decoded>;
}
