import { encodeJson, walk } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { badRequest } from "@coxswain/apimachinery/status";
import { formatTime, parseTimeMs } from "@coxswain/apimachinery/time";
import type { Chronicle, Moment } from "@coxswain/storage/chronicle";
import { encodedObject } from "../../cache/encoded-object.js";
import { decodeBody } from "../../endpoints/decode/decode-body.js";
import { readWriteOptions } from "../../endpoints/write-options.js";
import type { RegistryHandler } from "../contract/registry-deps.js";
import { historyOf } from "./change-handlers.js";

interface Question extends KubernetesObject {
  readonly spec?: { readonly time?: string; readonly revision?: number };
}

/** Which revision was the newest at a time, or when was a revision written. Times and numbers only: nothing of any object. */
export const handleMomentCreate: RegistryHandler = async (deps, context, target) => {
  const { kind } = target;
  const options = readWriteOptions(context, "CreateOptions");
  const asked = (await decodeBody(deps, context, kind, options.fieldValidation)) as Question;
  const chronicle = await historyOf(deps).chronicle();
  const status = await answer(chronicle, asked.spec ?? {});
  const object = walk({ ...asked, status }, kind.schema) as KubernetesObject;
  return { as: "object", code: 201, kind, object: encodedObject(encodeJson(object, kind.schema)) };
};

async function answer(chronicle: Chronicle, { time, revision }: NonNullable<Question["spec"]>) {
  const { oldest, newest, gaps } = chronicle.reach();
  const found = await find(chronicle, { time, revision });
  const around = found && (await chronicle.momentOf(found.revision));
  return {
    ...(found && { revision: found.revision, time: formatTime(found.time) }),
    ...(around?.previous && { previous: shown(around.previous) }),
    ...(around?.next && { next: shown(around.next) }),
    ...(oldest && { oldest: shown(oldest) }),
    newest: { revision: newest },
    ...(gaps.length > 0 && { gaps }),
  };
}

async function find(
  chronicle: Chronicle,
  { time, revision }: { time?: string | undefined; revision?: number | undefined },
): Promise<Moment | undefined> {
  if ((time === undefined) === (revision === undefined))
    throw badRequest("spec: exactly one of time and revision must be given");
  if (time !== undefined) {
    const at = parseTimeMs(time);
    if (at === undefined) throw badRequest(`spec.time: "${time}" is no time such as 2026-11-18T14:05:00Z`);
    // Times are shown in whole seconds: the last change of that second counts.
    return chronicle.revisionAt(/\.\d/.test(time) ? at : at + 999);
  }
  if (!Number.isSafeInteger(revision) || revision! < 1)
    throw badRequest("spec.revision: must be a whole number above 0");
  return (await chronicle.momentOf(revision!)).at;
}

const shown = ({ revision, time }: Moment) => ({ revision, time: formatTime(time) });
