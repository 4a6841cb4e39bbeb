import { defineFlags } from "@coxswain/component/flags";

export const authorizationFlags = defineFlags({
  "authorization-mode": {
    group: "Access",
    type: "strings",
    default: ["Node", "RBAC"],
    choices: ["Node", "RBAC", "ABAC", "Webhook", "AlwaysAllow", "AlwaysDeny"],
    help: "Who decides what a user may do, in this order. Members of system:masters may do anything.",
  },
  "authorization-policy-file": {
    group: "Access",
    type: "string",
    value: "file",
    help: "The policies of the mode ABAC, one JSON object a line.",
  },
  "authorization-webhook-config-file": {
    group: "Access",
    type: "string",
    value: "file",
    help: "How the mode Webhook reaches the service that decides: a kubeconfig.",
  },
  "authorization-webhook-version": {
    group: "Access",
    type: "string",
    default: "v1beta1",
    choices: ["v1", "v1beta1"],
    help: "The version of SubjectAccessReview that the service understands.",
  },
  "authorization-webhook-cache-authorized-ttl": {
    group: "Access",
    type: "duration",
    default: "5m0s",
    help: "How long an answer of the service that allows is kept.",
  },
  "authorization-webhook-cache-unauthorized-ttl": {
    group: "Access",
    type: "duration",
    default: "30s",
    help: "How long one that does not allow is kept.",
  },
  "authorization-config": {
    group: "Access",
    type: "string",
    value: "file",
    help: "An AuthorizationConfiguration, instead of the other authorization flags. Read again when it changes.",
  },
});
