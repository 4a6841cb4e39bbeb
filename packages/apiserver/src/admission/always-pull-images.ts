import type { Container } from "@coxswain/api/core/v1";
import { aggregateText, type FieldPath, fieldErrorText, fieldPath, notSupported } from "@coxswain/apimachinery/field";
import { StatusError } from "@coxswain/apimachinery/status";
import type { StoredPod } from "@coxswain/kinds/core/pod";
import { type AdmissionAttributes, type AdmissionPlugin, isPodItself } from "./admission.js";
import { forbid } from "./forbid.js";

const always = "Always";

/** No pod uses an image that its node has by chance: a user who may not pull it may not run it. */
export const alwaysPullImages: AdmissionPlugin = {
  name: "AlwaysPullImages",
  operations: ["CREATE", "UPDATE"],
  admit(attributes) {
    if (!applies(attributes)) return;
    const pod = attributes.object as StoredPod;
    for (const { container } of containersOf(pod)) container.imagePullPolicy = always;
    for (const { image } of pod.spec.volumes ?? []) if (image) image.pullPolicy = always;
  },
  validate(attributes) {
    if (!applies(attributes)) return;
    const pod = attributes.object as StoredPod;
    const wrong = [
      ...containersOf(pod).map(({ container, path }) => ({
        path: path.child("imagePullPolicy"),
        policy: container.imagePullPolicy,
      })),
      ...(pod.spec.volumes ?? []).flatMap(({ image }, i) =>
        image
          ? [{ path: fieldPath("spec", "volumes").index(i).child("image", "pullPolicy"), policy: image.pullPolicy }]
          : [],
      ),
    ].filter(({ policy }) => policy !== always);
    const text = aggregateText(
      wrong.map(
        ({ path, policy }) => forbid(attributes, fieldErrorText(notSupported(path, policy ?? "", [always]))).message,
      ),
    );
    if (text !== undefined) throw new StatusError({ code: 500, reason: "", message: text });
  },
};

function applies(attributes: AdmissionAttributes): boolean {
  if (!isPodItself(attributes)) return false;
  if (attributes.operation !== "UPDATE") return true;
  const known = new Set(containersOf(attributes.old as StoredPod).map(({ container }) => container.image));
  return containersOf(attributes.object as StoredPod).some(({ container }) => !known.has(container.image));
}

const containersOf = ({ spec }: StoredPod): { container: Container; path: FieldPath }[] =>
  (["initContainers", "containers", "ephemeralContainers"] as const).flatMap((member) =>
    ((spec[member] ?? []) as Container[]).map((container, i) => ({
      container,
      path: fieldPath("spec", member).index(i),
    })),
  );
