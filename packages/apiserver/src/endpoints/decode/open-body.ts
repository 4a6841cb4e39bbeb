import type { MediaTypeName } from "@coxswain/apimachinery/negotiation";
import { decodeProtobufObject, readEnvelope } from "@coxswain/apimachinery/protobuf";
import type { Soon } from "@coxswain/runtime/soon";
import { runSteps } from "@coxswain/runtime/steps";
import type { RequestContext } from "../../request/request-context.js";
import { jsonBody } from "./json-body.js";
import type { SentBody } from "./sent-body.js";

/** Throws or rejects with a DecodeError where the form does not fit the bytes at all. */
export function openBody(
  form: MediaTypeName,
  bytes: Uint8Array,
  context: Pick<RequestContext, "scheduler" | "signal">,
): Soon<SentBody> {
  switch (form) {
    case "application/json":
      return runSteps(context.scheduler, jsonBody(bytes), context);
    case "application/yaml":
      return import("./yaml-body.js").then(({ yamlBody }) => runSteps(context.scheduler, yamlBody(bytes), context));
    case "application/vnd.kubernetes.protobuf":
      return protobufBody(bytes);
  }
}

/** An estimate, as all costs of steps are. */
const decodedBytesPerMicrosecond = 50;

function protobufBody(bytes: Uint8Array): SentBody {
  const envelope = readEnvelope(bytes);
  return {
    apiVersion: envelope.apiVersion,
    kind: envelope.kind,
    bytes,
    *checkHead() {},
    // Fields that a message has and the type does not are skipped, and cannot occur twice: there is nothing to be strict about.
    *decode(node) {
      const object = decodeProtobufObject(bytes, node, envelope);
      yield bytes.length / decodedBytesPerMicrosecond;
      return { object, warnings: [] };
    },
  };
}
