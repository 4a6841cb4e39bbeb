import type { ObjectRef } from "../contract/messages.js";
import { Heads } from "./heads.js";
import { ProblemBox } from "./problem-box.js";
import { keepLasting, objectHash } from "./route.js";
import { useCall } from "./use-call.js";

const unseen = "nothing that is seen here: affinity among pods, volumes and ports are for the scheduler to decide";

/** Node by node, why a pod that waits does not fit. */
export function Misfits({ objectRef, version }: { readonly objectRef: ObjectRef; readonly version: string }) {
  const { value, problem } = useCall("misfits", { ref: objectRef }, version);
  if (problem) return <ProblemBox problem={problem} />;
  return (
    <table class="plain stacked misfits">
      <Heads titles={["Node", "Why not"]} />
      <tbody>
        {(value ?? []).slice(0, 200).map(({ node, reasons }) => (
          <tr key={node}>
            <th scope="row">
              <a href={keepLasting(objectHash({ group: "", version: "v1", resource: "nodes", name: node }))}>{node}</a>
            </th>
            <td class="whole">{reasons.join("; ") || unseen}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
