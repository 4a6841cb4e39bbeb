import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { KubernetesValue, ObjectRef, ObjectState, ResourceInfo } from "../contract/messages.js";

export interface EditorProps {
  readonly info: ResourceInfo;
  readonly objectRef: ObjectRef;
  readonly object: KubernetesValue;
  readonly yaml: string;
}

/** The editor is loaded when it is first opened: it is larger than all the rest. */
export function YamlTab({
  info,
  objectRef,
  state,
}: Omit<EditorProps, "object" | "yaml"> & { readonly state: ObjectState }) {
  const [loaded, setLoaded] = useState<{ Editor: ComponentType<EditorProps> } | undefined>(undefined);
  useEffect(() => void import("./editor/editor.js").then(({ Editor }) => setLoaded({ Editor })), []);
  if (!loaded || !state.object) return <pre class="yaml">{state.yaml}</pre>;
  return <loaded.Editor info={info} objectRef={objectRef} object={state.object} yaml={state.yaml} />;
}
