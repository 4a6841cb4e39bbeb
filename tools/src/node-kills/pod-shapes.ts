/** What the pods of the churn look like; together they have what a kubelet may leave behind. */
export const podShapes = {
  /** Ignores SIGTERM. */
  plain: {},
  volumes: {
    volumes: [
      { name: "disk", emptyDir: {} },
      { name: "memory", emptyDir: { medium: "Memory" } },
      { name: "config", configMap: { name: "settings" } },
      { name: "secret", secret: { secretName: "hidden" } },
      { name: "info", downwardAPI: { items: [{ path: "name", fieldRef: { fieldPath: "metadata.name" } }] } },
    ],
    mounts: [
      { name: "disk", mountPath: "/disk" },
      { name: "disk", mountPath: "/part", subPath: "a/b" },
      { name: "memory", mountPath: "/memory" },
      { name: "config", mountPath: "/config" },
      { name: "config", mountPath: "/key", subPath: "key" },
      { name: "secret", mountPath: "/secret" },
      { name: "info", mountPath: "/info" },
    ],
  },
  sidecar: { isWithSidecar: true },
  probed: {
    livenessProbe: { exec: { command: ["true"] }, periodSeconds: 1, failureThreshold: 2 },
    readinessProbe: { exec: { command: ["true"] }, periodSeconds: 1 },
  },
  hostNetwork: { hostNetwork: true },
  /** Ends after a few seconds; its containers need not live. */
  short: { command: ["sh", "-c", "sleep 3"] },
  /** Is in CrashLoopBackOff soon. */
  crashing: { command: ["sh", "-c", "sleep 1; exit 1"], restartPolicy: "Always" },
} as const satisfies Record<string, Shape>;

interface Shape {
  readonly volumes?: readonly object[];
  readonly mounts?: readonly object[];
  readonly isWithSidecar?: boolean;
  readonly livenessProbe?: object;
  readonly readinessProbe?: object;
  readonly hostNetwork?: boolean;
  readonly command?: readonly string[];
  readonly restartPolicy?: string;
}

export type ShapeName = keyof typeof podShapes;

/** Whether the containers of such a pod run until it is deleted. */
export const livesOn = (shape: ShapeName): boolean => shape !== "short" && shape !== "crashing";

/** Where pods run, and what of: any image with a shell and `sleep`. */
export interface PodPlace {
  readonly nodeName: string;
  readonly image: string;
}

const container = (image: string, name: string, more: object = {}): object => ({
  name,
  image,
  imagePullPolicy: "IfNotPresent",
  command: ["sleep", "1000000"],
  resources: { requests: { cpu: "1m", memory: "1Mi" }, limits: { memory: "64Mi" } },
  ...more,
});

/** A pod of this shape on a node. */
export function podOf(name: string, shapeName: ShapeName, { nodeName, image }: PodPlace): object {
  const shape: Shape = podShapes[shapeName];
  const { livenessProbe, readinessProbe, command, mounts } = shape;
  return {
    metadata: { name, labels: { shape: shapeName } },
    spec: {
      nodeName,
      terminationGracePeriodSeconds: 2,
      restartPolicy: shape.restartPolicy ?? (livesOn(shapeName) ? "Always" : "Never"),
      ...(shape.hostNetwork && { hostNetwork: true }),
      ...(shape.volumes && { volumes: shape.volumes }),
      ...(shape.isWithSidecar && {
        initContainers: [
          container(image, "sidecar", { restartPolicy: "Always" }),
          container(image, "once", { command: ["sleep", "0.5"] }),
        ],
      }),
      containers: [
        container(image, "main", {
          ...(livenessProbe && { livenessProbe }),
          ...(readinessProbe && { readinessProbe }),
          ...(command && { command }),
          ...(mounts && { volumeMounts: mounts }),
        }),
      ],
    },
  };
}
