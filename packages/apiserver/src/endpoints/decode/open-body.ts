import type { Decoded } from "@coxswain/apimachinery/json";
import type { MediaTypeName } from "@coxswain/apimachinery/negotiation";
import { decodeProtobufObject, readEnvelope } from "@coxswain/apimachinery/protobuf";
import type { SchemaNode } from "@coxswain/apimachinery/schema";
import type { Soon } from "@coxswain/runtime/soon";
import { runSteps, type Steps } from "@coxswain/runtime/steps";
import { isLarge } from "../../objects/large-object.js";
import type { RequestContext } from "../../request/request-context.js";
import { jsonBody, smallJsonBody } from "./json-body.js";
import type { SentBody } from "./sent-body.js";

/** Throws or rejects with a DecodeError where the form does not fit the bytes at all. */
export function openBody(
  form: MediaTypeName,
  bytes: Uint8Array,
  context: Pick<RequestContext, "scheduler" | "signal">,
): Soon<SentBody> {
  switch (form) {
    case "application/json":
      return isLarge(bytes.length) ? runSteps(context.scheduler, jsonBody(bytes), context) : smallJsonBody(bytes);
    case "application/yaml":
      return import("./yaml-body.js").then(({ yamlBody }) => runSteps(context.scheduler, yamlBody(bytes), context));
    case "application/vnd.kubernetes.protobuf":
      return new ProtobufBody(bytes, readEnvelope(bytes));
  }
}

/** An estimate, as all costs of steps are. */
const decodedBytesPerMicrosecond = 50;

class ProtobufBody implements SentBody {
  readonly apiVersion: string;
  readonly kind: string;
  readonly bytes: Uint8Array;
  readonly #envelope: ReturnType<typeof readEnvelope>;

  constructor(bytes: Uint8Array, envelope: ReturnType<typeof readEnvelope>) {
    this.apiVersion = envelope.apiVersion;
    this.kind = envelope.kind;
    this.bytes = bytes;
    this.#envelope = envelope;
  }

  *checkHead(): Steps<void> {}

  /** Fields that a message has and the type does not are skipped, and cannot occur twice: there is nothing to be strict about. */
  *decode(node: SchemaNode): Steps<Decoded> {
    const object = decodeProtobufObject(this.bytes, node, this.#envelope);
    yield this.bytes.length / decodedBytesPerMicrosecond;
    return { object, warnings: [] };
  }
}
