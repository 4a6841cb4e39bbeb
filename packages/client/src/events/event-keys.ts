import type { Event } from "@coxswain/api/core/v1";

/** Texts that are kept apart: no value can be taken for two. */
const join = (...parts: (string | undefined)[]): string => JSON.stringify(parts.map((part) => part ?? ""));

/** The same event: source, object, type, reason and message. */
export const eventKey = ({ source, involvedObject: about, type, reason, message }: Event): string =>
  join(
    source?.component,
    source?.host,
    about.kind,
    about.namespace,
    about.name,
    about.fieldPath,
    about.uid,
    about.apiVersion,
    type,
    reason,
    message,
  );

const aboutParts = ({ source, involvedObject: about, type }: Event): (string | undefined)[] => [
  source?.component,
  source?.host,
  about.kind,
  about.namespace,
  about.name,
  about.uid,
  about.apiVersion,
  type,
];

/** The same source about the same object. */
export const spamKey = (event: Event): string => join(...aboutParts(event));

/** The same thing about the same object, in whatever words. */
export const similarKey = (event: Event): string =>
  join(...aboutParts(event), event.reason, event.reportingComponent, event.reportingInstance);
