import { attachDetachController } from "./attach-detach/controller.js";
import { bootstrapSignerController } from "./bootstrap-signer/controller.js";
import { certificateApprovingController } from "./certificate-approving/controller.js";
import { certificateCleanerController } from "./certificate-cleaner/controller.js";
import { certificateSigningController } from "./certificate-signing/controller.js";
import { clusterRoleAggregationController } from "./cluster-role-aggregation/controller.js";
import { clusterTrustBundlePublisherController } from "./cluster-trust-bundle-publisher/controller.js";
import type { Controller } from "./controller/controller.js";
import { cronJobController } from "./cron-job/controller.js";
import { daemonSetController } from "./daemon-set/controller.js";
import { deploymentController } from "./deployment/controller.js";
import { deviceTaintEvictionController } from "./device-taint-eviction/controller.js";
import { disruptionController } from "./disruption/controller.js";
import { endpointSliceController } from "./endpoint-slice/controller.js";
import { endpointSliceMirroringController } from "./endpoint-slice-mirroring/controller.js";
import { endpointsController } from "./endpoints/controller.js";
import { ephemeralVolumeController } from "./ephemeral-volume/controller.js";
import { garbageCollectorController } from "./garbage-collector/controller.js";
import { horizontalPodAutoscalerController } from "./horizontal-pod-autoscaler/controller.js";
import { jobController } from "./job/controller.js";
import { legacyServiceAccountTokenCleanerController } from "./legacy-service-account-token-cleaner/controller.js";
import { namespaceController } from "./namespace/controller.js";
import { nodeIpamController } from "./node-ipam/controller.js";
import { nodeLifecycleController } from "./node-lifecycle/controller.js";
import { persistentVolumeBinderController } from "./persistent-volume-binder/controller.js";
import { persistentVolumeClaimProtectionController } from "./persistent-volume-claim-protection/controller.js";
import { persistentVolumeExpanderController } from "./persistent-volume-expander/controller.js";
import { persistentVolumeProtectionController } from "./persistent-volume-protection/controller.js";
import { podCertificateRequestCleanerController } from "./pod-certificate-request-cleaner/controller.js";
import { podGarbageCollectorController } from "./pod-garbage-collector/controller.js";
import { podGroupProtectionController } from "./pod-group-protection/controller.js";
import { replicaSetController } from "./replica-set/controller.js";
import { replicationControllerController } from "./replication-controller/controller.js";
import { resourceClaimController } from "./resource-claim/controller.js";
import { resourcePoolStatusRequestController } from "./resource-pool-status-request/controller.js";
import { resourceQuotaController } from "./resource-quota/controller.js";
import { rootCaPublisherController } from "./root-ca-publisher/controller.js";
import { selinuxWarningController } from "./selinux-warning/controller.js";
import { serviceAccountController } from "./service-account/controller.js";
import { serviceAccountTokenController } from "./service-account-token/controller.js";
import { serviceCidrsController } from "./service-cidrs/controller.js";
import { statefulSetController } from "./stateful-set/controller.js";
import { storageVersionGarbageCollectorController } from "./storage-version-garbage-collector/controller.js";
import { storageVersionMigratorController } from "./storage-version-migrator/controller.js";
import { taintEvictionController } from "./taint-eviction/controller.js";
import { tokenCleanerController } from "./token-cleaner/controller.js";
import { ttlController } from "./ttl/controller.js";
import { ttlAfterFinishedController } from "./ttl-after-finished/controller.js";
import { validatingAdmissionPolicyStatusController } from "./validating-admission-policy-status/controller.js";
import { volumeAttributesClassProtectionController } from "./volume-attributes-class-protection/controller.js";

/** Every controller of kube-controller-manager that is there, in the order of their names upstream. */
export const allControllers: readonly Controller[] = [
  serviceAccountTokenController,
  endpointsController,
  endpointSliceController,
  endpointSliceMirroringController,
  replicationControllerController,
  podGarbageCollectorController,
  resourceQuotaController,
  namespaceController,
  serviceAccountController,
  garbageCollectorController,
  daemonSetController,
  jobController,
  podGroupProtectionController,
  deploymentController,
  replicaSetController,
  horizontalPodAutoscalerController,
  disruptionController,
  statefulSetController,
  cronJobController,
  certificateSigningController,
  certificateApprovingController,
  certificateCleanerController,
  podCertificateRequestCleanerController,
  ttlController,
  bootstrapSignerController,
  tokenCleanerController,
  nodeIpamController,
  nodeLifecycleController,
  persistentVolumeBinderController,
  attachDetachController,
  persistentVolumeExpanderController,
  clusterRoleAggregationController,
  persistentVolumeClaimProtectionController,
  persistentVolumeProtectionController,
  volumeAttributesClassProtectionController,
  ttlAfterFinishedController,
  rootCaPublisherController,
  clusterTrustBundlePublisherController,
  ephemeralVolumeController,
  storageVersionGarbageCollectorController,
  resourceClaimController,
  resourcePoolStatusRequestController,
  deviceTaintEvictionController,
  legacyServiceAccountTokenCleanerController,
  validatingAdmissionPolicyStatusController,
  taintEvictionController,
  serviceCidrsController,
  storageVersionMigratorController,
  selinuxWarningController,
];
