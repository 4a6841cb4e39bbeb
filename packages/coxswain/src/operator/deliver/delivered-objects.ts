import { type Manifest, ManifestError, readManifests } from "../apply/read-manifests.js";
import { objectNames } from "../object-names.js";
import type { OperatorProject } from "../project-facts.js";

/** Folders of manifests. Samples are no part of an installation. */
const folders = ["config/manager", "config/crd", "config/rbac", "config/webhook"];

/** What others refer to goes first. Webhooks go last: from then on writes wait for the operator. */
const order = [
  "Namespace",
  "CustomResourceDefinition",
  "ServiceAccount",
  "Role",
  "ClusterRole",
  "RoleBinding",
  "ClusterRoleBinding",
  "ConfigMap",
  "Secret",
  "Service",
  "Deployment",
];
const webhookKinds = ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"];

const rank = ({ kind }: Manifest): number => {
  const at = order.indexOf(kind);
  return at >= 0 ? at : webhookKinds.includes(kind) ? order.length + 1 : order.length;
};

/** All manifests of a project in the order in which they are applied, with the image of the operator. @throws ManifestError */
export function deliveredObjects(directory: string, project: OperatorProject, image: string | undefined): Manifest[] {
  const objects = readManifests(directory, folders);
  const names = objectNames(project.name);
  const isManager = (object: Manifest): boolean =>
    object.kind === "Deployment" && object.metadata?.name === names.deployment;
  if (!objects.some(isManager))
    throw new ManifestError(
      `there is no Deployment ${names.deployment} in config/manager: nothing would run the operator`,
    );
  return objects
    .map((object) => (image !== undefined && isManager(object) ? withImage(object, image) : object))
    .sort((a, b) => rank(a) - rank(b));
}

interface PodTemplated {
  spec?: { template?: { spec?: { containers?: { name?: string; image?: string }[] } } };
}

/** The image of the container `manager`. @throws ManifestError */
function withImage(deployment: Manifest, image: string): Manifest {
  const changed = structuredClone(deployment);
  const containers = (changed as PodTemplated).spec?.template?.spec?.containers ?? [];
  const manager = containers.find(({ name }) => name === "manager");
  if (!manager)
    throw new ManifestError(
      `Deployment ${deployment.metadata?.name} has no container "manager" that --image could be for`,
    );
  manager.image = image;
  return changed;
}
