import { encodeJson, walk } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { formatTime } from "@coxswain/apimachinery/time";
import { encodedObject } from "../../cache/encoded-object.js";
import { decodePosted } from "../../endpoints/decode/decode-posted.js";
import { readWriteOptions } from "../../endpoints/write-options.js";
import type { RegistryHandler } from "../contract/registry-deps.js";
import { admitReview } from "./admit-review.js";

/** Who am I? (`kubectl auth whoami`) */
export const handleSelfSubjectReview: RegistryHandler = async (deps, context, target) => {
  const { kind } = target;
  const options = readWriteOptions(context, "CreateOptions");
  // What was sent must be a review; nothing of it comes back.
  const review = await decodePosted(deps, context, { kind, namespace: "", validation: options.fieldValidation });
  await admitReview(deps, context, target, options, review as KubernetesObject);
  const { name, uid, groups, extra } = context.user;
  const userInfo = {
    username: name,
    ...(uid === undefined ? {} : { uid }),
    groups,
    ...(extra === undefined ? {} : { extra }),
  };
  const metadata = { creationTimestamp: formatTime(deps.runtime.clock.now()) };
  const object = walk(
    { apiVersion: `${kind.group}/${kind.version}`, kind: kind.kind, metadata, status: { userInfo } },
    kind.schema,
  ) as KubernetesObject;
  return { as: "object", code: 201, kind, object: encodedObject(encodeJson(object, kind.schema)) };
};
