import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { isStatusError, StatusError } from "@coxswain/apimachinery/status";
import type { Steps } from "@coxswain/runtime/steps";

/**
 * What an object may be as the store keeps it, in bytes of JSON. etcd takes 1.5 MiB unless it is configured otherwise, and what is stored as
 * protobuf there is up to twice as long as JSON (a Secret's megabyte of data); a request's body may have 3 MiB.
 */
export const maxStoredBytes = 3 << 20;

const message = "etcdserver: request is too large";

/** As kube-apiserver passes on etcd's answer. @param text etcd's own, where there is one */
export const tooLarge = (text = message): StatusError => new StatusError({ code: 500, reason: "", message: text });

/** Whether a write was refused for its size, by this server or by etcd (`isTooLargeError` in pkg/endpoints/handlers/rest.go). */
export const isTooLarge = (err: unknown): boolean =>
  isStatusError(err) &&
  (err.message.includes(message) || err.message.includes("trying to send message larger than max"));

/** Two quotes, a colon and two braces. */
const bytesPerElement = 5;
const elementsPerStep = 256;

/** Every element has a letter and a colon at its beginning: none is a member of Object.prototype. */
interface Fields {
  readonly [element: string]: Fields;
}

/** How many bytes an object's managed fields have at least; those of a list with 250,000 items are counted in steps, not encoded. */
export function* leastBytesOfFields({ metadata: { managedFields = [] } }: KubernetesObject): Steps<number> {
  let bytes = 0;
  let seen = 0;
  function* count(node: Fields): Steps<void> {
    for (const element in node) {
      bytes += element.length + bytesPerElement;
      if (++seen % elementsPerStep === 0) yield elementsPerStep;
      const below = node[element] as Fields;
      for (const _ in below) {
        yield* count(below);
        break;
      }
    }
  }
  for (const { fieldsV1 } of managedFields) if (fieldsV1) yield* count(fieldsV1 as Fields);
  return bytes;
}
