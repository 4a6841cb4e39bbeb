/**
 * How strictly a pod or a pod template is validated. Feature gates decide, and what the stored object already holds: an update of
 * something else must not fail for a mistake that was let through earlier.
 */
export interface PodRules {
  /** A pod, not the template of one in another object. */
  readonly isPod: boolean;
  /** Containers may be privileged. */
  readonly allowPrivileged: boolean;
  readonly strictAddresses: boolean;
  readonly podLevelResources: boolean;
  readonly podLevelResize: boolean;
  readonly initContainerResize: boolean;
  readonly restartRules: boolean;
  readonly restartAllContainers: boolean;
  readonly envFiles: boolean;
  readonly matchLabelKeysInSpread: "merged" | "kept apart";
  readonly comparingTolerations: boolean;
  readonly hostNetworkWithUserNamespaces: boolean;
  readonly volumeDevicesWithUserNamespaces: boolean;
  readonly onlyRecursiveSELinuxChange: boolean;
  readonly clearNominatedNode: boolean;
  readonly imageVolumeDigests: boolean;
  readonly invalidDeletionCost: boolean;
  readonly indivisibleHugePages: boolean;
  readonly invalidAffinitySelectors: boolean;
  readonly invalidNodeAffinityValues: boolean;
  readonly invalidSpreadSelectors: boolean;
  readonly nonLocalTokenPaths: boolean;
  readonly hostSysctls: boolean;
  readonly restartingInitContainerResize: boolean;
}
