/** Resources that answer a deletion with the object that was deleted; the others answer with a Status. By group and resource, whatever the version. */
const returning = new Set([
  "/persistentvolumeclaims",
  "/persistentvolumes",
  "/pods",
  "/podtemplates",
  "/resourcequotas",
  "/serviceaccounts",
  "/services",
  "resource.k8s.io/deviceclasses",
  "resource.k8s.io/devicetaintrules",
  "resource.k8s.io/resourceclaims",
  "resource.k8s.io/resourceclaimtemplates",
  "resource.k8s.io/resourcepoolstatusrequests",
  "resource.k8s.io/resourceslices",
  "storage.k8s.io/csidrivers",
  "storage.k8s.io/csinodes",
  "storage.k8s.io/storageclasses",
  "storage.k8s.io/volumeattachments",
  "storage.k8s.io/volumeattributesclasses",
]);

export const returnsDeletedObject = ({
  group,
  resource,
}: {
  readonly group: string;
  readonly resource: string;
}): boolean => returning.has(`${group}/${resource}`);
