import { parseGroupVersion } from "@coxswain/apimachinery/meta";
import { checkExpressionTypes } from "@coxswain/cel/admission";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { kindsToCheck } from "./kinds-to-check.js";
import { kindFinder, typeFinder } from "./schemas.js";

/** Checks the expressions of ValidatingAdmissionPolicies by the schemas of the kinds they are for, once for each generation. */
export const validatingAdmissionPolicyStatusController: Controller = {
  name: "validatingadmissionpolicy-status-controller",
  aliases: [],
  serviceAccount: "validatingadmissionpolicy-status-controller",
  start(context) {
    const { client, informers } = context;
    const policies = informers.of("admissionregistration", "v1", "validatingadmissionpolicies");
    const definitions = informers.of("apiextensions", "v1", "customresourcedefinitions");
    const known = () => definitions.indexer.list();
    const [kindFor, typeOf] = [kindFinder(known), typeFinder(known)];
    const loop = createReconcileLoop(context, {
      name: "validatingadmissionpolicy-status",
      async reconcile(name) {
        const policy = policies.indexer.getByKey(name);
        const { generation = 0 } = policy?.metadata ?? {};
        if (!policy?.spec || generation <= (policy.status?.observedGeneration ?? 0)) return;
        const { validations = [], variables = [], paramKind } = policy.spec;
        const kinds = kindsToCheck(policy.spec, kindFor).flatMap((kind) => {
          const type = typeOf(kind);
          return type ? [{ ...kind, type }] : [];
        });
        const paramVersion = paramKind && parseGroupVersion(paramKind.apiVersion ?? "");
        const paramGvk = paramVersion && { ...paramVersion, kind: paramKind.kind ?? "" };
        const expressionWarnings = checkExpressionTypes(
          { validations, variables },
          { kinds, ...(paramGvk && { params: { kind: paramGvk.kind, type: typeOf(paramGvk) } }) },
        );
        await client.admissionregistration.v1.validatingadmissionpolicies().applyStatus(
          {
            metadata: { name },
            status: { observedGeneration: generation, typeChecking: { expressionWarnings: [...expressionWarnings] } },
          },
          { fieldManager: "validatingadmissionpolicy-status", force: true },
        );
      },
    });
    loop.watch(policies);
    return loop;
  },
};
