import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ObjectState } from "../contract/messages.js";
import type { EditorProps } from "./editor/editor.js";

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
